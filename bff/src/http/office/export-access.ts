import { may } from '@kilim/domain/admin/permissions';
import type { Context, Handler, Input } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { findEndedExportToken, type ProvenExportToken, proveExportToken } from '../../export/export-tokens.ts';
import type { ProvenSession } from '../../sign-in/sessions.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { answerTooMany, type Throttles } from '../throttle.ts';
import { type AdminGuard, type AdminVariables, type GuardedHandler, notPermitted } from './guard.ts';
import type { SecurityOf } from './security-of.ts';
import { createUnknownTokens } from './unknown-tokens.ts';

export type ExportAccessOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
};

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
export function createExportAccess({ sql, guard, throttles, securityOf }: ExportAccessOptions) {
  const { counter } = throttles.counters;
  const unknownTokens = createUnknownTokens(throttles, securityOf);
  const ofToken = counter({ name: 'export-token', most: 30, perSeconds: 60 });
  const withToken = async <Path extends string, Checked extends Input>(
    c: Context<AdminVariables, Path, Checked>,
    authorization: string,
    download: Download<Path, Checked>,
  ) => {
    const [, bearer = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    const token = await repeatWhileAway(() => proveExportToken(sql, bearer));
    if (token === undefined) {
      const ended = await repeatWhileAway(() => findEndedExportToken(sql, bearer));
      if (ended !== undefined) {
        const { name, createdBy, reason } = ended;
        await securityOf(c).note({ kind: 'token-refused', username: createdBy, token: name, reason });
      }
      const tooMany = await unknownTokens(c);
      if (tooMany !== undefined) return tooMany;
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
