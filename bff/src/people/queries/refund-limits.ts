import { type Cents, cents, noCents, sumCents } from '@kilim/domain/money';
import type { Role } from '@kilim/domain/people/permissions';
import { builtInRefundLimits, type RefundLimits } from '@kilim/domain/people/refund-limits';
import type { Sql } from '../../core/database/database.ts';
import { readLastSettings } from '../../core/queries/saved-settings.ts';
import { listPeople } from '../sign-in/people.ts';

/** Read at each refund: a lowered limit holds immediately. */
export async function readRefundLimits(sql: Sql): Promise<RefundLimits> {
  return (await readLastSettings(sql))?.settings.refundLimits ?? builtInRefundLimits;
}

export type BusinessDay = { readonly at: Date; readonly timeZone: string };

/** By sign-in name. */
export type RefundedOnDay = { readonly of: (username: string) => Cents; readonly byAll: Cents };

/** @param except the id of a refund that does not count */
export async function readRefundedOnDay(
  sql: Sql,
  { at, timeZone }: BusinessDay,
  except: string = '',
): Promise<RefundedOnDay> {
  const rows = await sql<{ username: string; amount: number }[]>`
    select requested_by as username, amount_cents as amount
    from ledger.refunded_on_day(${at.toISOString()}::timestamptz, ${timeZone}, ${except})`;
  const amounts = new Map(rows.map(({ username, amount }) => [username, cents(amount)]));
  return { of: (username) => amounts.get(username) ?? noCents, byAll: sumCents(amounts.values()) };
}

export type Colleague = { readonly displayName: string; readonly role: Role; readonly refundedToday: Cents };

export async function readColleagues(sql: Sql, own: string, refunded: RefundedOnDay): Promise<readonly Colleague[]> {
  const people = await listPeople(sql);
  return people
    .filter(({ username, state }) => state === 'active' && username !== own)
    .map(({ username, displayName, role }) => ({ displayName, role, refundedToday: refunded.of(username) }));
}
