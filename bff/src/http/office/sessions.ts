import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type ListedSession as ListedSessionAnswer, sessions } from '../../../contract/session.ts';
import type { Sql } from '../../database/database.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import {
  endAllSessions,
  endSession,
  type ListedSession,
  listSessions,
  type ProvenSession,
} from '../../sign-in/sessions.ts';
import { answerProblem } from '../problem.ts';
import { type AdminCookies, clearStorage } from './cookies.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import type { SecurityOf } from './security-of.ts';

export type AdminSessionsOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  readonly cookies: AdminCookies;
  readonly securityOf: SecurityOf;
};

export function adminSessions({ sql, guard, cookies, securityOf }: AdminSessionsOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/sessions',
      guard.may('useOwnAccount', async (c, session) => {
        const listed = await repeatWhileAway(() => listSessions(sql, session.username));
        return c.json(
          z.encode(
            sessions,
            listed.map((other) => listedAnswer(other, session)),
          ),
        );
      }),
    )
    .delete(
      '/sessions/:id',
      guard.may('endOwnSessions', async (c, session) => {
        const id = c.req.param('id') ?? '';
        const ended = z.uuid().safeParse(id).success && (await inTime(endSession(sql, session.username, id)));
        if (!ended) {
          return answerProblem(c, { status: 404, code: 'NotFound', message: 'This session has already ended.' });
        }
        await securityOf(c).note({ kind: 'session-ended', username: session.username, all: false });
        if (id === session.id) {
          cookies.session.remove(c);
          clearStorage(c);
        }
        return c.body(null, 204);
      }),
    )
    .delete(
      '/sessions',
      guard.may('endOwnSessions', async (c, session) => {
        // The session of this request ends too.
        await repeatWhileAway(() => endAllSessions(sql, session.username));
        cookies.session.remove(c);
        await securityOf(c).note({ kind: 'session-ended', username: session.username, all: true });
        clearStorage(c);
        return c.body(null, 204);
      }),
    );
}

function listedAnswer(listed: ListedSession, own: ProvenSession): ListedSessionAnswer {
  return {
    id: listed.id,
    createdAt: listed.createdAt.toISOString(),
    seenAt: listed.seenAt.toISOString(),
    address: listed.address,
    userAgent: listed.userAgent,
    current: listed.id === own.id,
  };
}
