import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import type { MailKind } from '../../../contract/mails.ts';
import { isTrue, type Sql } from '../database/database.ts';

/** Another process may take it when the lease ends. */
export type TakenMail = MailName & {
  /** Undefined for mails about a day or a closing. */
  readonly orderId: OrderId | undefined;
  readonly messageId: string;
  readonly tries: number;
  readonly ageSeconds: number;
};

/** An order, refund, day or closing has one mail of each kind. */
export type MailName = { readonly kind: MailKind; readonly about: string };

/** Longer than a mail server may take. */
const leaseSeconds = 120;

/**
 * Nothing that a crashed server had recorded is forgotten.
 * @param withinSeconds how far to look back
 */
export async function gatherMails(sql: Sql, kinds: readonly MailKind[], withinSeconds: number): Promise<void> {
  await sql`select ledger.gather_mails(
    ${sql.typed.textArray([...kinds])}::text[], make_interval(secs => ${withinSeconds}::float8))`;
}

export async function addMail(sql: Sql, { kind, about }: MailName): Promise<void> {
  await sql`select ledger.add_mail(${kind}, ${about})`;
}

/** No other process takes them before the lease ends. */
export async function takeMails(sql: Sql, most: number): Promise<readonly TakenMail[]> {
  const rows = await sql<(Omit<TakenMail, 'orderId'> & { readonly order: string | null })[]>`
    select kind, about, order_id as order, message_id as "messageId", tries, age_seconds as "ageSeconds"
    from ledger.take_mails(make_interval(secs => ${leaseSeconds}::float8), ${most}::int)`;
  return rows.map(({ order, ...mail }) => ({ ...mail, orderId: order === null ? undefined : parseOrderId(order) }));
}

export async function hasFailedMails(sql: Sql): Promise<boolean> {
  return await isTrue(sql`select exists (select from ledger.mail where state = 'open' and failure is not null)`);
}

export type Settled =
  | { readonly state: 'sent' | 'dropped' }
  /** It waits for a person. */
  | { readonly state: 'parked'; readonly failure: string };

/** @returns false when a person or another process has settled it already. */
export async function settleMail(sql: Sql, { kind, about }: MailName, settled: Settled): Promise<boolean> {
  const failure = settled.state === 'parked' ? settled.failure : null;
  return await isTrue(sql`select ledger.settle_mail(${kind}, ${about}, ${settled.state}, ${failure})`);
}

/** @param failure undefined when there was none. */
export async function postponeMail(
  sql: Sql,
  { kind, about, tries }: TakenMail,
  { failure, seconds }: { readonly failure: string | undefined; readonly seconds: number },
): Promise<void> {
  await sql`select ledger.postpone_mail(
    ${kind}, ${about}, ${tries}::int, ${failure ?? null}, make_interval(secs => ${seconds}::float8))`;
}

/** @returns false when there is no such mail. */
export async function reopenMail(sql: Sql, { kind, about }: MailName): Promise<boolean> {
  return await isTrue(sql`select ledger.reopen_mail(${kind}, ${about})`);
}

/** As long as a receipt opens. Later, a mail can no longer be sent again. */
const keptDays = 90;

export async function forgetOldMails(sql: Sql): Promise<void> {
  await sql`select ledger.forget_mails(make_interval(days => ${keptDays}::int))`;
}
