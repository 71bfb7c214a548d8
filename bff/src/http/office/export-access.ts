import { may } from '@kilim/domain/admin/permissions';
import type { Context, Handler, Input } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type ProvenExportToken, proveExportToken } from '../../export/export-tokens.ts';
import type { ProvenSession } from '../../sign-in/sessions.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { answerTooMany, type Throttles } from '../throttle.ts';
import { type AdminGuard, type AdminVariables, type GuardedHandler, notPermitted } from './guard.ts';

export type ExportAccessOptions = { readonly sql: Sql; readonly guard: AdminGuard; readonly throttles: Throttles };

/** A download opens with a session or with an export token. */
type Download<Path extends string, Checked extends Input> = GuardedHandler<
  ProvenSession | ProvenExportToken,
  Path,
  Checked
>;

const unknownToken: Problem = {
  status: 401,
  code: 'UnknownToken',
  message: 'This export token does not exist or was revoked.',
};

/**
 * Guards downloads: a signed-in administrator may download, and so may the bearer of an export token. The token stands in
 * a header and never in an address, because proxies, histories and logs keep addresses.
 */
export function createExportAccess({ sql, guard, throttles }: ExportAccessOptions) {
  const { counter } = throttles.counters;
  const ofAddress = counter({ name: 'export-token-address', most: 60, perSeconds: 60 });
  const ofToken = counter({ name: 'export-token', most: 30, perSeconds: 60 });
  const withToken = async <Path extends string, Checked extends Input>(
    c: Context<AdminVariables, Path, Checked>,
    authorization: string,
    download: Download<Path, Checked>,
  ) => {
    const tooOften = await ofAddress.count(throttles.clientOf(c).address);
    if (tooOften !== undefined) return answerTooMany(c, throttles, tooOften);
    const [, bearer = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    const token = await repeatWhileAway(() => proveExportToken(sql, bearer));
    if (token === undefined) {
      c.header('www-authenticate', 'Bearer');
      return answerProblem(c, unknownToken);
    }
    if (!may(token.role, 'export')) return answerProblem(c, notPermitted(token.role, 'export'));
    const wait = await ofToken.countEverywhere(token.id);
    return wait === undefined ? download(c, token) : answerTooMany(c, throttles, wait);
  };
  return {
    /** The guard of a download. No other call takes an export token. */
    downloads: <Path extends string, Checked extends Input = Input>(
      download: Download<Path, Checked>,
    ): Handler<AdminVariables, Path, Checked> => {
      const withSession = guard.may<Path, Checked>('export', download);
      return (c, next): Response | Promise<Response> => {
        const authorization = c.req.header('authorization');
        return authorization === undefined
          ? (withSession(c, next) as Promise<Response>)
          : withToken(c, authorization, download);
      };
    },
  };
}
