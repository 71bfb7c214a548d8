import type { OrderId } from '@kilim/domain/order/ids';
import type { MailKind, OrderMail } from '../../../contract/mails.ts';
import type { Sql } from '../database/database.ts';

export async function readOrderMails(sql: Sql, orderId: OrderId): Promise<OrderMail[]> {
  const rows = await sql<MailRow[]>`
    select kind, about, state, coalesce(settled_at, opened_at) as at, failure from ledger.mail
    where order_id = ${orderId} order by opened_at, kind, about`;
  return rows.map(({ state, at, ...mail }) => ({ ...mail, state: mailStates[state], at: at.toISOString() }));
}

type State = 'open' | 'sent' | 'parked' | 'dropped';

type MailRow = {
  readonly kind: MailKind;
  readonly about: string;
  readonly state: State;
  readonly at: Date;
  readonly failure: string | null;
};

/** As pages name them. */
export const mailStates = {
  open: 'waiting',
  sent: 'sent',
  parked: 'undelivered',
  dropped: 'dropped',
} satisfies Record<State, OrderMail['state']>;

/** `none`: no mail is promised. */
export type ConfirmationMail = 'none' | 'coming' | 'sent';

/** Without one after this time, mails were configured after the payment. */
const dueWithinMs = 60 * 60 * 1000;

/** @param paidMsAgo since the payment was taken */
export async function readConfirmation(sql: Sql, orderId: OrderId, paidMsAgo: number): Promise<ConfirmationMail> {
  const [row] = await sql<{ state: State }[]>`
    select state from ledger.mail where kind = 'order-confirmation' and about = ${orderId}::text`;
  if (row === undefined) return paidMsAgo < dueWithinMs ? 'coming' : 'none';
  if (row.state === 'sent') return 'sent';
  return row.state === 'open' ? 'coming' : 'none';
}
