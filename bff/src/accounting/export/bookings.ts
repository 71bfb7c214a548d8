import { type Basis, type Booking, basisTypes } from '@kilim/domain/accounting/booking';
import { bookedTypes, isBooked, typesOfRefundEntries } from '@kilim/domain/accounting/money-of-events';
import type { Sql } from '../../core/database/database.ts';
import { literal } from '../../core/database/values.ts';
import { decodeSalesTax, orderCodec } from '../../core/ledger/codecs/order.ts';
import { payoutCodec } from '../../core/ledger/codecs/payout.ts';
import { resolutionsCodec } from '../../core/ledger/codecs/resolutions.ts';
import { isOneOf } from '../../core/ledger/money-in-sql.ts';
import type { EventPlace, Scope } from './scope.ts';
import { instant, type Place, placeColumns, type RowKind, readRows, type Selection } from './selection.ts';

export type MoneyRow = Place &
  EventPlace & {
    readonly eventId: string;
    readonly streamId: string;
    readonly type: string;
    readonly schemaVersion: number;
    readonly payload: string;
    /** That event's schema version and payload, with a space between them. */
    readonly basis: string | null;
    /** The sales tax in the event that placed the order of a refund. Null for other events. */
    readonly refundedTax: string | null;
  };

const basisConditions = {
  OrderPlaced: 'basis.version = 1',
  RefundRequested: `basis.refund_id = event.refund_id and basis.type = 'RefundRequested'`,
} satisfies Record<Basis['type'], string>;

function basisCase(type: keyof typeof basisTypes): string {
  const basisType = basisTypes[type];
  return basisType === undefined
    ? ''
    : `when ${literal(type)} then (
        select basis.schema_version || ' ' || basis.payload::text from ledger.event basis
        where basis.stream_id = event.stream_id and ${basisConditions[basisType]}
      )`;
}

/** A subquery for each basis keeps the rows in order without a sort. */
export const moneyRows: RowKind = {
  types: bookedTypes,
  columns: `${placeColumns}, event_id as "eventId", stream_id as "streamId", type, schema_version as "schemaVersion",
    ${instant('occurred_at')} as "occurredAt", payload::text as payload,
    case type ${bookedTypes.map(basisCase).join(' ')} end as basis,
    case when ${isOneOf(typesOfRefundEntries)} then (
      select placed.payload ->> 'salesTax' from ledger.event placed
      where placed.stream_id = event.stream_id and placed.version = 1
    ) end as "refundedTax"`,
};

/** In ledger order. */
export async function eachBooking(
  sql: Sql,
  selection: Selection,
  take: (booking: Booking, row: MoneyRow) => void,
): Promise<void> {
  for await (const rows of readRows<MoneyRow>(sql, selection, moneyRows)) {
    for (const row of rows) take(bookingOf(row, selection.scope), row);
  }
}

/** @throws when the ledger holds an event that cannot be booked. */
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
