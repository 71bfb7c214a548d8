import { allowLongStatements, isTrue, type Sql, type Transaction } from '../core/database/database.ts';

/** An attacker who deletes events easily overlooks such a row. */
export type TraceFault = {
  readonly code: 'RowWithoutEvent';
  readonly streamId: string;
  /** For example `the contact`. */
  readonly what: string;
};

/** What may be the trace of a deletion, or of ordinary work. It is no fault. */
export type Clue =
  /** Square has a payment for an order that the ledger does not have. */
  | { readonly code: 'OrderOnlyAtSquare'; readonly streamId: string; readonly squarePaymentId: string }
  /** Positions after the last checkpoint that hold no event. */
  | { readonly code: 'PositionsEmpty'; readonly count: number };

export type CheckedTraces = { readonly faults: readonly TraceFault[]; readonly clues: readonly Clue[] };

/**
 * Finds traces of events that were deleted before a checkpoint sealed them.
 * @returns undefined when this login may not read the rows.
 */
export async function checkTraces(sql: Sql): Promise<CheckedTraces | undefined> {
  const mayRead = await isTrue(sql`
    select has_column_privilege(to_regclass('ledger.refund_text'), 'order_id', 'select')
      and has_column_privilege('ledger.effect', 'order_id', 'select')
      and has_column_privilege('ledger.customer_contact', 'order_id', 'select')`);
  if (!mayRead) return undefined;
  return await sql.begin('isolation level repeatable read read only', async (reader) => {
    // Takes three seconds for 100,000 orders.
    await allowLongStatements(reader, 0);
    return {
      faults: await findRowsWithoutEvent(reader),
      clues: [...(await findOrdersOnlyAtSquare(reader)), ...(await findEmptyPositions(reader))],
    };
  });
}

async function findRowsWithoutEvent(reader: Transaction): Promise<readonly TraceFault[]> {
  const rows = await reader<{ stream_id: string; what: string }[]>`
    select 'order-' || kept.order_id as stream_id, kept.what
    from (
      select order_id, 'the contact' as what, 'OrderPlaced' as type, null as id from ledger.customer_contact
      union all
      select order_id, 'the row of the refund ' || refund_id,
        case when paid_by is not null then 'CustomerReimbursed' when origin = 'admin' then 'RefundRequested' else 'OrderPlaced' end,
        refund_id
      from ledger.refund_history
      union all
      select order_id, 'the text of the refund ' || refund_id, 'RefundRequested', refund_id from ledger.refund_text
      union all
      select order_id, 'the work on the payment ' || payment_id, 'PaymentStarted', payment_id
      from ledger.effect where kind = 'charge'
      union all
      select order_id, 'the work on the refund ' || refund_id, 'RefundRequested', refund_id
      from ledger.effect where kind = 'refund'
    ) kept
    where not exists (
      select from ledger.event
      where event.stream_id = 'order-' || kept.order_id and event.type = kept.type and case kept.type
        when 'RefundRequested' then event.refund_id = kept.id
        when 'CustomerReimbursed' then event.payload ->> 'reimbursementId' = kept.id
        when 'PaymentStarted' then event.payload ->> 'paymentId' = kept.id
        else true end
    )
    order by 1, 2`;
  return rows.map(({ stream_id: streamId, what }) => ({ code: 'RowWithoutEvent', streamId, what }));
}

/** The reference of such a payment is the order's id. */
async function findOrdersOnlyAtSquare(reader: Transaction): Promise<readonly Clue[]> {
  const rows = await reader<{ stream_id: string; square_payment_id: string }[]>`
    select 'order-' || (found.payload ->> 'reference') as stream_id,
      found.payload ->> 'squarePaymentId' as square_payment_id
    from ledger.event found
    where found.type = 'OrphanPaymentFound' and found.stream_id like 'orphan-%'
      and found.payload ->> 'reference' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      and not exists (
        select from ledger.event placed where placed.stream_id = 'order-' || (found.payload ->> 'reference')
      )
    order by 1, 2`;
  return rows.map(({ stream_id: streamId, square_payment_id: squarePaymentId }) => {
    return { code: 'OrderOnlyAtSquare', streamId, squarePaymentId };
  });
}

/**
 * The sequence of positions does not go back when events are deleted. Transactions that were rolled
 * back, or that still run, leave the same gaps.
 */
async function findEmptyPositions(reader: Transaction): Promise<readonly Clue[]> {
  const [row] = await reader<{ count: number | null }[]>`
    with last as (select from_epoch, from_xid, epoch, xid from ledger.checkpoint order by sequence desc limit 1),
    sealed as (
      select coalesce(max(event.position), 0) as position from ledger.event, last
      where (event.epoch, event.xid) >= (last.from_epoch, last.from_xid) and (event.epoch, event.xid) < (last.epoch, last.xid)
    )
    select pg_sequence_last_value('ledger.event_position_seq') - sealed.position - (
      select count(*) from ledger.event
      where event.position > sealed.position
        and (event.epoch, event.xid) >= (coalesce((select epoch from last), 0), coalesce((select xid from last), '0'))
    ) as count
    from sealed`;
  const count = row?.count ?? 0;
  return count > 0 ? [{ code: 'PositionsEmpty', count }] : [];
}
