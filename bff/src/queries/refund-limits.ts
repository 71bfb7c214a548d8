import type { Role } from '@kilim/domain/admin/permissions';
import { builtInRefundLimits, lowerLimits, type VersionedRefundLimits } from '@kilim/domain/admin/refund-limits';
import { type Cents, cents, noCents, sumCents } from '@kilim/domain/money';
import type { Sql } from '../database/database.ts';
import { readAuthenticEvent } from '../ledger/authentic-event.ts';
import { refundLimitsCodec, refundLimitsStream } from '../ledger/codecs/refund-limits.ts';
import { findMacKey } from '../ledger/event-mac.ts';
import { readStream } from '../ledger/read.ts';
import { listPeople } from '../sign-in/people.ts';

const kind = { streamId: refundLimitsStream, codec: refundLimitsCodec };

/**
 * The content of the last event in the stream of limits. When no server with the key appended it,
 * no limit is higher than the last proven or the built-in one.
 */
export async function readRefundLimits(sql: Sql): Promise<VersionedRefundLimits> {
  const { events, version } = await readStream(sql, kind);
  const last = events.at(-1)?.event ?? builtInRefundLimits;
  const key = findMacKey(sql);
  if (key === undefined || version === 0) return { version, limits: last.limits };
  const proven = await readAuthenticEvent(sql, kind, key);
  if (proven?.version === version) return { version, limits: proven.limits };
  return { version, limits: lowerLimits(last.limits, (proven ?? builtInRefundLimits).limits), isUnproven: true };
}

/** A day of the business, by an instant in it. */
export type BusinessDay = { readonly at: Date; readonly timeZone: string };

/** What was refunded on the day, by sign-in name. */
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

/** Everyone else who can sign in. */
export async function readColleagues(sql: Sql, own: string, refunded: RefundedOnDay): Promise<readonly Colleague[]> {
  const people = await listPeople(sql);
  return people
    .filter(({ username, state }) => state === 'active' && username !== own)
    .map(({ username, displayName, role }) => ({ displayName, role, refundedToday: refunded.of(username) }));
}
