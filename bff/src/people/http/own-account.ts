import * as z from 'zod/mini';
import type { ListedSession as ListedSessionAnswer } from '../../../contract/session.ts';
import type { Sql } from '../../core/database/database.ts';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem } from '../../core/http/problem.ts';
import type { ProvenSession, SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import { emailsOf, setEmail } from '../sign-in/emails.ts';
import { changeDisplayName } from '../sign-in/people.ts';
import { endAllSessions, endSession, type ListedSession, listSessions } from '../sign-in/sessions.ts';
import { type AdminCookies, clearStorage } from './cookies.ts';

export type OwnAccountOptions = {
  readonly sql: Sql;
  readonly cookies: AdminCookies;
  readonly securityOf: SecurityOf;
};

export function serveOwnAccount(serve: Serve, { sql, cookies, securityOf }: OwnAccountOptions): void {
  serve('POST /api/admin/account/name', async (_, { by: session, body, answer }) => {
    await inTime(changeDisplayName(sql, session.username, body.displayName));
    return answer(204);
  });
  serve('GET /api/admin/account/email', async (_, { by: session, answer }) => {
    const emails = await repeatWhileAway(() => emailsOf(sql, session.username));
    return answer(200, { email: emails.find(({ isCurrent }) => isCurrent)?.email ?? null });
  });
  serve('POST /api/admin/account/email', async (c, { by: session, body, answer }) => {
    const { email } = body;
    const { username } = session;
    await inTime(
      sql.begin(async (transaction) => {
        if (!(await setEmail(transaction, username, email ?? undefined))) return;
        await securityOf(c).noteIn(transaction, { kind: 'email-changed', username, removed: email === null });
      }),
    );
    return answer(204);
  });
  serve('GET /api/admin/sessions', async (_, { by: session, answer }) => {
    const listed = await repeatWhileAway(() => listSessions(sql, session.username));
    return answer(
      200,
      listed.map((other) => listedAnswer(other, session)),
    );
  });
  serve('DELETE /api/admin/sessions/:id', async (c, { by: session, params: { id }, answer }) => {
    const ended = z.uuid().safeParse(id).success && (await inTime(endSession(sql, session.username, id)));
    if (!ended) {
      return answerProblem(c, { status: 404, code: 'NotFound', message: 'This session has already ended.' });
    }
    await securityOf(c).note({ kind: 'session-ended', username: session.username, all: false });
    if (id === session.id) {
      cookies.session.remove(c);
      clearStorage(c);
    }
    return answer(204);
  });
  serve('DELETE /api/admin/sessions', async (c, { by: session, answer }) => {
    await repeatWhileAway(() => endAllSessions(sql, session.username));
    cookies.session.remove(c);
    await securityOf(c).note({ kind: 'session-ended', username: session.username, all: true });
    clearStorage(c);
    return answer(204);
  });
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
