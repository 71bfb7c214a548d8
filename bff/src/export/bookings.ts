import type { Booking } from '@kilim/domain/accounting/booking';
import type { OrderPlaced, RefundRequested } from '@kilim/domain/order/events';
import { type BookedEvent, bookedTypes } from '@kilim/domain/projection/journal';
import type { Sql } from '../database/database.ts';
import { decodeEvent } from '../ledger/codecs/order.ts';
import { decodePayoutEvent, isPayoutType } from '../ledger/codecs/payout.ts';
import { type MoneyRow, moneyRows } from './ledger-rows.ts';
import type { Scope } from './scope.ts';
import { eachSelected, type Selection } from './selection.ts';

/** Hands over what moved money, in the order in which the ledger is read. */
export async function eachBooking(sql: Sql, selection: Selection, take: (booking: Booking) => void): Promise<void> {
  await eachSelected(sql, { selection, kind: moneyRows }, (row) => take(bookingOf(row, selection.scope)));
}

/** A row that moved money, parsed, with its day in the books. @throws when the ledger holds something that cannot be booked. */
export function bookingOf(row: MoneyRow, scope: Scope): Booking {
  const stored = { type: row.type, schemaVersion: row.schemaVersion, payload: row.payload };
  const event = isPayoutType(row.type) ? decodePayoutEvent(stored) : decodeEvent(stored);
  const basis = basisOf(row);
  if (!isBooked(event)) throw new Error(`The books do not know ${row.type}`);
  return {
    ...scope.daysOf(row),
    event,
    basis,
  };
}

const basisTypes: Readonly<Record<string, (OrderPlaced | RefundRequested)['type']>> = {
  PaymentCaptured: 'OrderPlaced',
  RefundCompleted: 'RefundRequested',
};

function basisOf({ type, basis }: MoneyRow): Booking['basis'] {
  const basisType = basisTypes[type];
  if (basisType === undefined || basis === null) return undefined;
  const space = basis.indexOf(' ');
  const schemaVersion = Number(basis.slice(0, space));
  return decodeEvent({ type: basisType, schemaVersion, payload: basis.slice(space + 1) }) as
    | OrderPlaced
    | RefundRequested;
}

function isBooked(event: { readonly type: string }): event is BookedEvent {
  return (bookedTypes as readonly string[]).includes(event.type);
}
