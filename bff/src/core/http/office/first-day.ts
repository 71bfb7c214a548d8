import { firstDaySteps } from '@kilim/domain/settings/first-day';
import { isStepDone } from '@kilim/domain/settings/is-step-done';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { addMail } from '../../mail/outbox.ts';
import type { SavedSettings } from '../../queries/saved-settings.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';

export type FirstDayOptions = {
  readonly sql: Sql;
  readonly now: () => Date;
  readonly settings: SavedSettings;
  /** Undefined: there is none, or no mails are sent. */
  readonly shopMail: string | undefined;
  readonly shopUrl: string;
};

export function serveFirstDay(serve: Serve, { sql, now, settings, shopMail, shopUrl }: FirstDayOptions): void {
  serve('GET /api/admin/first-day', async (_, { by: session, answer }) => {
    const [current, builtIn, read] = await Promise.all([
      settings.refresh(),
      settings.at(0),
      repeatWhileAway(() => readFacts(sql)),
    ]);
    const { settings: saved } = current;
    const facts = { ...read, hasOwnPassword: !session.mustChangePassword };
    const isDone = isStepDone(saved, builtIn?.settings ?? saved, facts);
    return answer(200, {
      isHidden: saved.firstDay.isHidden,
      steps: firstDaySteps.map((step) => ({ step, isDone: isDone[step] })),
      mailTo: shopMail ?? null,
      isMailWaiting: read.isMailWaiting,
      shopUrl,
    });
  });
  serve('POST /api/admin/first-day/mail', async (c, { answer }) => {
    if (shopMail === undefined) return answerProblem(c, noShopMail);
    // It can be sent again, so its name is the instant.
    await repeatWhileAway(() => addMail(sql, { kind: 'test-mail', about: now().toISOString() }));
    return answer(202);
  });
}

const noShopMail: Problem = {
  status: 409,
  code: 'NoShopMail',
  message: 'Emails are not set up. The person who runs the server can do it.',
};

type Facts = { readonly hasPaidOrder: boolean; readonly hasSentMail: boolean; readonly isMailWaiting: boolean };

async function readFacts(sql: Sql): Promise<Facts> {
  const [row] = await sql<[Facts]>`
    select exists (select from ledger.order_summary where payment_status = 'paid' and paid_at is not null)
        as "hasPaidOrder",
      exists (select from ledger.mail where kind = 'test-mail' and state = 'sent') as "hasSentMail",
      exists (select from ledger.mail where kind = 'test-mail' and state = 'open') as "isMailWaiting"`;
  return row;
}
