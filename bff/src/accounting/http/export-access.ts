import { may } from '@kilim/domain/people/permissions';
import { ok, rejected } from '@kilim/domain/result';
import type { TokenEnd } from '../../../contract/exports.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import { notPermitted, type ProvenExportToken, type ProvenSession, type SecurityOf } from '../../core/http/proven.ts';
import type { Guard } from '../../core/http/serve.ts';
import { answerTooMany, type Throttles } from '../../core/http/throttle/throttle.ts';
import { createUnknownTokens } from '../../people/http/unknown-tokens.ts';
import { type EndedExportToken, proveExportToken } from '../export/export-tokens.ts';

export type ExportAccessOptions = {
  readonly sql: Sql;
  readonly guard: Guard<ProvenSession>;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
};

const unknownToken: Problem = {
  status: 401,
  code: 'UnknownToken',
  message: 'This export token does not exist or was revoked.',
};

/** The bearer has the secret, so the answer may say why. */
function endedToken({ ended, expiresAt }: EndedExportToken, timeZone: string): Problem {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(expiresAt);
  const messages = {
    revoked: unknownToken.message,
    creator: 'The account that created this export token is not active. Please ask an owner for another token.',
    expired: `This export token expired on ${day}. Please create another one on the page Accounting.`,
  } satisfies Record<TokenEnd, string>;
  return {
    status: 401,
    code: ended === 'expired' ? 'ExpiredToken' : unknownToken.code,
    message: messages[ended],
  };
}

type Proven = ProvenSession | ProvenExportToken;

/** The token stands in a header and never in an address, because proxies, histories and logs keep addresses. */
export function createExportGuard(options: ExportAccessOptions): Guard<Proven> {
  const { sql, guard, throttles, securityOf, timeZone } = options;
  const { counter } = throttles.counters;
  const unknownTokens = createUnknownTokens(throttles, securityOf);
  const ofToken = counter({ name: 'export-token', most: 30, perSeconds: 60 });
  return async (c, permission) => {
    const authorization = c.req.header('authorization');
    if (authorization === undefined) return guard(c, permission);
    const [, bearer = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    const token = await repeatWhileAway(() => proveExportToken(sql, bearer));
    if (token === undefined || 'ended' in token) {
      const tooMany = await unknownTokens(c);
      if (tooMany !== undefined) return rejected(tooMany);
      if (token !== undefined) {
        const { name, createdBy, ended } = token;
        await securityOf(c).note({ kind: 'token-refused', username: createdBy, token: name, reason: ended });
      }
      c.header('www-authenticate', 'Bearer');
      return rejected(answerProblem(c, token === undefined ? unknownToken : endedToken(token, timeZone)));
    }
    if (!may(token.role, permission)) return rejected(answerProblem(c, notPermitted(token.role, permission)));
    const wait = await ofToken.countEverywhere(token.id);
    return wait === undefined ? ok(token) : rejected(answerTooMany(c, throttles, wait));
  };
}
