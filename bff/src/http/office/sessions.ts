import { Hono } from 'hono';
import { z } from 'zod';
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
import type { ListedSessionAnswer } from '../shop/wire.ts';
import type { AdminCookies } from './cookies.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

export type AdminSessionsOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  readonly cookies: AdminCookies;
};

/** Where one is signed in, and ending it there or everywhere. */
export function adminSessions({ sql, guard, cookies }: AdminSessionsOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/sessions',
      guard.signedIn(async (c, session) => {
        const listed = await repeatWhileAway(() => listSessions(sql, session.username));
        return c.json<ListedSessionAnswer[]>(listed.map((other) => listedAnswer(other, session)));
      }),
    )
    .delete(
      '/sessions/:id',
      guard.signedIn(async (c, session) => {
        const id = c.req.param('id') ?? '';
        const ended = z.uuid().safeParse(id).success && (await inTime(endSession(sql, session.username, id)));
        if (!ended) {
          return answerProblem(c, { status: 404, code: 'NotFound', message: 'This session has already ended.' });
        }
        if (id === session.id) cookies.session.remove(c);
        return c.body(null, 204);
      }),
    )
    .delete(
      '/sessions',
      guard.signedIn(async (c, session) => {
        // The one that asks too.
        await repeatWhileAway(() => endAllSessions(sql, session.username));
        cookies.session.remove(c);
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
