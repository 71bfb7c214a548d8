import { Hono } from 'hono';
import * as z from 'zod/mini';
import { ownEmail } from '../../../contract/people.ts';
import { ownEmailRequest, ownNameRequest } from '../../../contract/people-requests.ts';
import type { Sql } from '../../database/database.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import { emailsOf, setEmail } from '../../sign-in/emails.ts';
import { changeDisplayName } from '../../sign-in/people.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';
import type { SecurityOf } from './security-of.ts';

/** The own name, and where messages about the own account go. */
export function adminOwnAccount(sql: Sql, guard: AdminGuard, securityOf: SecurityOf) {
  return new Hono<AdminVariables>()
    .post(
      '/account/name',
      guard.may(
        'changeOwnName',
        checked(body(ownNameRequest), async (c, session) => {
          await inTime(changeDisplayName(sql, session.username, c.req.valid('json').displayName));
          return c.body(null, 204);
        }),
      ),
    )
    .get(
      '/account/email',
      guard.may('useOwnAccount', async (c, session) => {
        const emails = await repeatWhileAway(() => emailsOf(sql, session.username));
        return c.json(z.encode(ownEmail, { email: emails.find(({ isCurrent }) => isCurrent)?.email ?? null }));
      }),
    )
    .post(
      '/account/email',
      guard.may(
        'changeOwnEmail',
        checked(body(ownEmailRequest), async (c, session) => {
          const { email } = c.req.valid('json');
          const { username } = session;
          await inTime(
            sql.begin(async (transaction) => {
              if (!(await setEmail(transaction, username, email ?? undefined))) return;
              await securityOf(c).noteIn(transaction, { kind: 'email-changed', username, removed: email === null });
            }),
          );
          return c.body(null, 204);
        }),
      ),
    );
}
