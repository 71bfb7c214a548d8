import { may } from '@kilim/domain/admin/permissions';
import type { Context, Handler, Input } from 'hono';
import type { BlankInput } from 'hono/types';
import type * as z from 'zod/mini';
import type { TokenEnd } from '../../../contract/exports.ts';
import { exportQuery } from '../../../contract/queries.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import {
  type EndedExportToken,
  isWithin,
  type ProvenExportToken,
  proveExportToken,
  type TokenScope,
} from '../../export/export-tokens.ts';
import type { ProvenSession } from '../../sign-in/sessions.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { answerTooMany, type Throttles } from '../throttle.ts';
import { query } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked, type GuardedHandler, notPermitted } from './guard.ts';
import type { SecurityOf } from './security-of.ts';
import { createUnknownTokens } from './unknown-tokens.ts';

export type ExportAccessOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  /** Answers name days of this time zone. */
  readonly timeZone: string;
};

type ExportInput = {
  in: { query: Readonly<Record<string, string | readonly string[]>> };
  out: { query: z.output<typeof exportQuery> };
};

/** A download opens with a session or with an export token. */
type Download<Query extends Input = ExportInput> = GuardedHandler<ProvenSession | ProvenExportToken, string, Query>;

const unknownToken: Problem = {
  status: 401,
  code: 'UnknownToken',
  message: 'This export token does not exist or was revoked.',
};

/** Why a token that existed is refused. Its bearer has the secret, so the answer may say so. */
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

const names = new Intl.ListFormat('en-US');

function outsideScope({ formats, from, to }: TokenScope): Problem {
  const files = `the format${formats.length === 1 ? '' : 's'} ${names.format(formats)}`;
  const days = `${from === null ? '' : ` from ${from}`}${to === null ? '' : ` through ${to}`}`;
  return {
    status: 403,
    code: 'OutsideTokenScope',
    message: `This export token opens ${files}${days === '' ? '' : `, days${days}`}, and nothing else.`,
  };
}

/**
 * Guards downloads, for administrators and bearers of an export token. The token stands in a header
 * and never in an address, because proxies, histories and logs keep addresses.
 */
export function createExportAccess({ sql, guard, throttles, securityOf, timeZone }: ExportAccessOptions) {
  const { counter } = throttles.counters;
  const unknownTokens = createUnknownTokens(throttles, securityOf);
  const ofToken = counter({ name: 'export-token', most: 30, perSeconds: 60 });
  const withToken = async <Query extends Input>(
    c: Context<AdminVariables, string, Query>,
    authorization: string,
    download: Download<Query>,
  ) => {
    const [, bearer = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    const token = await repeatWhileAway(() => proveExportToken(sql, bearer));
    if (token === undefined || 'ended' in token) {
      const tooMany = await unknownTokens(c);
      if (tooMany !== undefined) return tooMany;
      if (token !== undefined) {
        const { name, createdBy, ended } = token;
        await securityOf(c).note({ kind: 'token-refused', username: createdBy, token: name, reason: ended });
      }
      c.header('www-authenticate', 'Bearer');
      return answerProblem(c, token === undefined ? unknownToken : endedToken(token, timeZone));
    }
    if (!may(token.role, 'export')) return answerProblem(c, notPermitted(token.role, 'export'));
    const wait = await ofToken.countEverywhere(token.id);
    return wait === undefined ? download(c, token) : answerTooMany(c, throttles, wait);
  };
  const withinScope = (download: Download): Download =>
    checked(query(exportQuery), async (c, by) => {
      if (!('scope' in by) || isWithin(by.scope, c.req.valid('query'))) return download(c, by);
      const { createdBy, name, scope } = by;
      await securityOf(c).note({ kind: 'token-refused', username: createdBy, token: name, reason: 'outside-scope' });
      return answerProblem(c, outsideScope(scope));
    });
  const guarded = <Query extends Input>(download: Download<Query>): Handler<AdminVariables, string, Query> => {
    const withSession = guard.may('export', download);
    return (c, next): Response | Promise<Response> => {
      const authorization = c.req.header('authorization');
      return authorization === undefined
        ? (withSession(c, next) as Promise<Response>)
        : withToken(c, authorization, download);
    };
  };
  return {
    downloads: (download: Download) => guarded(withinScope(download)),
    /** The guard of the newest note, which every token opens. No other call takes an export token. */
    notes: (download: Download<BlankInput>) => guarded(download),
  };
}
