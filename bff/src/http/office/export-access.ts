import type { Context, Handler } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { proveExportToken } from '../../export/export-tokens.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { answerTooMany, type Throttles } from '../throttle.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

export type ExportAccessOptions = { readonly sql: Sql; readonly guard: AdminGuard; readonly throttles: Throttles };

type Download = (c: Context<AdminVariables, string>) => Response | Promise<Response>;

const unknownToken: Problem = {
  status: 401,
  code: 'UnknownToken',
  message: 'This export token does not exist or was revoked.',
};

/**
 * Who may download: whoever is signed in, or the bearer of an export token. The token stands in a header and never in an address, because addresses
 * are kept: by proxies, in histories and in logs.
 */
export function createExportAccess({ sql, guard, throttles }: ExportAccessOptions) {
  const { counter } = throttles.counters;
  const ofAddress = counter({ name: 'export-token-address', most: 60, perSeconds: 60 });
  const ofToken = counter({ name: 'export-token', most: 30, perSeconds: 60 });
  const withToken = async (c: Context<AdminVariables, string>, authorization: string, download: Download) => {
    const tooOften = await ofAddress.count(throttles.clientOf(c).address);
    if (tooOften !== undefined) return answerTooMany(c, throttles, tooOften);
    const [, bearer = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    const token = await repeatWhileAway(() => proveExportToken(sql, bearer));
    if (token === undefined) {
      c.header('www-authenticate', 'Bearer');
      return answerProblem(c, unknownToken);
    }
    const wait = await ofToken.countEverywhere(token.id);
    return wait === undefined ? download(c) : answerTooMany(c, throttles, wait);
  };
  return {
    /** In front of a download. Nothing else takes an export token. */
    downloads: <Path extends string>(download: Download): Handler<AdminVariables, Path> => {
      const withSession = guard.signedIn<Path>((c) => download(c));
      return (c, next): Response | Promise<Response> => {
        const authorization = c.req.header('authorization');
        return authorization === undefined
          ? (withSession(c, next) as Promise<Response>)
          : withToken(c, authorization, download);
      };
    },
  };
}
