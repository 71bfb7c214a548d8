import type { Sql } from '../../core/database/database.ts';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import { emailsOf, setEmail } from '../sign-in/emails.ts';
import { changeDisplayName } from '../sign-in/people.ts';

export function serveOwnAccount(serve: Serve, sql: Sql, securityOf: SecurityOf): void {
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
}
