import { type Basis, basisTypes } from '@kilim/domain/accounting/booking';
import { bookedTypes, typesOfRefundEntries } from '@kilim/domain/accounting/money-of-events';
import { literal } from '../database/values.ts';
import { isOneOf } from '../ledger/money-in-sql.ts';
import type { EventPlace } from './scope.ts';
import { instant, type Place, placeColumns, type RowKind } from './selection.ts';

/** An event that moved money, with the event that its amounts are split by. */
export type MoneyRow = Place &
  EventPlace & {
    readonly eventId: string;
    readonly streamId: string;
    readonly type: string;
    readonly schemaVersion: number;
    readonly payload: string;
    /** That event's schema version and payload, with a space between them. */
    readonly basis: string | null;
    /** Of a refund: the sales tax in the event that placed its order. Null for other events. */
    readonly refundedTax: string | null;
  };

/** Where the event that another event's amounts are split by is found in its stream. */
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

/** The events that move money. A subquery for each basis keeps the rows in order without a sort. */
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
