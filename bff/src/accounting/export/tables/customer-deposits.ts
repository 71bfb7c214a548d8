import type { Booking } from '@kilim/domain/accounting/booking';
import { isOf, isSale, moves } from '@kilim/domain/accounting/money-of-events';
import type { Day } from '@kilim/domain/day';
import type { Sql } from '../../../core/database/database.ts';
import { orderIdOf, orderStreamId } from '../../../core/ledger/read.ts';
import { eachBooking } from '../bookings.ts';
import { firstDay, openScope, type Scope } from '../scope.ts';
import { type RowKind, readRows } from '../selection.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'order_id', kind: 'order' },
  { name: 'paid_on', kind: 'day' },
  { name: 'paid', kind: 'amount' },
  { name: 'given_back', kind: 'amount' },
  { name: 'deposit', kind: 'amount' },
];

type Deposit = { readonly paidOn: Day; paid: number; givenBack: number };

/** Steps of the shop; events of this kind move no money. */
const steps: RowKind = {
  types: ['OrderHandedOver', 'StepUndone'],
  columns: `stream_id as "streamId", type, payload ->> 'step' as step`,
};
type StepRow = { readonly streamId: string; readonly type: string; readonly step: string | null };

/**
 * What customers have paid until the last day of the range for rugs that they do not have again: the shop owes them the
 * work. A supplement counts with its order.
 */
export async function readCustomerDeposits(sql: Sql, { timeZone, to }: Scope): Promise<Table> {
  const scope = await openScope(sql, timeZone, { from: firstDay, to });
  const deposits = new Map<string, Deposit>();
  const orderOf = new Map<string, string>();
  await eachBooking(sql, { scope }, (booking, { streamId }) => {
    const { event, basis, day } = booking;
    if (isSale(event) && basis?.type === 'OrderPlaced' && basis.supplementOf !== undefined) {
      orderOf.set(streamId, orderStreamId(basis.supplementOf));
    }
    const order = orderOf.get(streamId) ?? streamId;
    const deposit = deposits.get(order) ?? { paidOn: day, paid: 0, givenBack: 0 };
    deposit.paid += paidBy(booking);
    deposit.givenBack += givenBackBy(booking);
    if (deposit.paid > 0) deposits.set(order, deposit);
  });
  const handedOver = await readHandedOver(sql, scope);
  const rows = [...deposits]
    .filter(([order, { paid, givenBack }]) => paid > givenBack && !handedOver.has(order))
    .map(([order, { paidOn, paid, givenBack }]): Row => {
      return [orderIdOf(order) ?? null, paidOn, paid, -givenBack, paid - givenBack];
    })
    .toSorted((one, other) => (`${one[1]} ${one[0]}` < `${other[1]} ${other[0]}` ? -1 : 1));
  return { columns, rows, totals: totalsOf(columns, rows) };
}

function paidBy({ event }: Booking): number {
  return isSale(event) ? event.amount : 0;
}

/** Also what a bank has taken back until a dispute is won. */
function givenBackBy({ event }: Booking): number {
  if (isOf('refunds', event) || event.type === 'CustomerReimbursed' || event.type === 'DisputeOpened') {
    return event.amount;
  }
  return event.type === 'DisputeClosed' && moves(event) ? -event.amount : 0;
}

async function readHandedOver(sql: Sql, scope: Scope): Promise<ReadonlySet<string>> {
  const handedOver = new Set<string>();
  for await (const rows of readRows<StepRow>(sql, { scope }, steps)) {
    for (const { streamId, type, step } of rows) {
      if (type === 'OrderHandedOver') handedOver.add(streamId);
      else if (step === 'handed-over') handedOver.delete(streamId);
    }
  }
  return handedOver;
}
