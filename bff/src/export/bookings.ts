import { type Basis, type Booking, basisTypes } from '@kilim/domain/accounting/booking';
import { isBooked, typesOfRefundEntries } from '@kilim/domain/accounting/money-of-events';
import type { Sql } from '../database/database.ts';
import { decodeSalesTax, orderCodec } from '../ledger/codecs/order.ts';
import { payoutCodec } from '../ledger/codecs/payout.ts';
import { resolutionsCodec } from '../ledger/codecs/resolutions.ts';
import { type MoneyRow, moneyRows } from './ledger-rows.ts';
import type { Scope } from './scope.ts';
import { readRows, type Selection } from './selection.ts';

/** Passes each booking and its row to `take`, in ledger order. */
export async function eachBooking(
  sql: Sql,
  selection: Selection,
  take: (booking: Booking, row: MoneyRow) => void,
): Promise<void> {
  for await (const rows of readRows<MoneyRow>(sql, selection, moneyRows)) {
    for (const row of rows) take(bookingOf(row, selection.scope), row);
  }
}

/**
 * Parses a row and finds its day in the books.
 * @throws when the ledger holds an event that cannot be booked.
 */
export function bookingOf(row: MoneyRow, scope: Scope): Booking {
  const stored = { type: row.type, schemaVersion: row.schemaVersion, payload: row.payload };
  const codec = [payoutCodec, resolutionsCodec].find(({ knows }) => knows(row.type)) ?? orderCodec;
  const event = codec.decode(stored);
  if (!isBooked(event)) throw new Error(`The books do not know ${row.type}`);
  const basis = basisOf(basisTypes[event.type], row);
  return { ...scope.daysOf(row), event, basis, salesTax: salesTaxOf(event.type, basis, row) };
}

const refundTypes: readonly string[] = typesOfRefundEntries;

function salesTaxOf(type: string, basis: Booking['basis'], { refundedTax }: MoneyRow): Booking['salesTax'] {
  if (basis?.type === 'OrderPlaced') return basis.salesTax;
  return refundTypes.includes(type) ? decodeSalesTax(refundedTax) : undefined;
}

function basisOf(type: Basis['type'] | undefined, { basis }: MoneyRow): Booking['basis'] {
  if (type === undefined || basis === null) return undefined;
  const space = basis.indexOf(' ');
  const schemaVersion = Number(basis.slice(0, space));
  return orderCodec.decode({ type, schemaVersion, payload: basis.slice(space + 1) }) as Basis;
}
