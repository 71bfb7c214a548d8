import { firstOfMonth, lastMonthEnd, parseDay } from '@kilim/domain/day';
import type { MonthMails, Program } from '../../../contract/month-mails.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, invalidFields, type Problem } from '../../core/http/problem.ts';
import type { Serve } from '../../core/http/serve.ts';
import { addMail } from '../../core/mail/outbox.ts';
import { mailStates } from '../../core/queries/order-mails.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import { aboutMonth, monthIn } from '../mail/month-files.ts';

const noAccountant: Problem = {
  status: 409,
  code: 'NoAccountant',
  message: 'The address of your accountant is not known. The person who runs the server can set it.',
};

export type MonthMailsOptions = {
  readonly sql: Sql;
  readonly now: () => Date;
  readonly timeZone: string;
  /** Undefined: there is none, or no mails are sent. */
  readonly accountant: string | undefined;
};

export function serveMonthMails(serve: Serve, { sql, now, timeZone, accountant }: MonthMailsOptions): void {
  serve('GET /api/admin/month-mails', async (_, { answer }) =>
    answer(200, { to: accountant ?? null, mails: await repeatWhileAway(() => readMonthMails(sql)) }),
  );
  serve('POST /api/admin/month-mails', async (c, { body, answer }) => {
    if (accountant === undefined) return answerProblem(c, noAccountant);
    const lastWhole = firstOfMonth(lastMonthEnd(dayIn(timeZone, now())));
    const month = parseDay(`${body.month}-01`);
    if (month === undefined || month > lastWhole) {
      return answerProblem(c, invalidFields({ month: 'Please choose a month that is over' }));
    }
    await repeatWhileAway(() => addMail(sql, { kind: 'month-files', about: aboutMonth(body, now()) }));
    return answer(202);
  });
}

type Row = { readonly about: string; readonly state: keyof typeof mailStates; readonly at: Date };

async function readMonthMails(sql: Sql): Promise<MonthMails['mails']> {
  const rows = await sql<Row[]>`
    select about, state, coalesce(settled_at, opened_at) as at from ledger.mail
    where kind = 'month-files' order by opened_at desc limit 12`;
  return rows.flatMap(({ about, state, at }) => {
    const found: { month: string; program: Program } | undefined = monthIn(about);
    return found === undefined ? [] : [{ ...found, state: mailStates[state], at: at.toISOString() }];
  });
}
