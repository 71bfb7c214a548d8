import { type Cents, cents } from '@kilim/domain/money';
import type { MeasuredSize, OrderPlaced, PaymentAuthorized, PaymentCaptured } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { type RefundBlock, refundableCharges, refundableOf, refundBlock } from '@kilim/domain/order/refund';
import type { OrderCharges } from '@kilim/domain/order/refund-allocation';
import { type CompletedRefund, completedRefunds } from '@kilim/domain/order/split-correction';
import type { OrderSummary, RefundStanding } from '@kilim/domain/projection/order-summary';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import { type TimelineLine, timeline } from '@kilim/domain/projection/timeline';
import type { Sql } from '../database/database.ts';
import { type KeptContact, readContact } from '../ledger/contact.ts';
import { eventsOf, readOrder, summaryOf } from '../ledger/read.ts';
import { withRefundTexts } from '../ledger/refund-text.ts';
import { dayIn } from '../runtime/day-in.ts';
import { refundStateOf } from '../use-case/drive-refund.ts';
import type { ShopClock } from './current-rates.ts';
import { familyRefundStatus, isAsked } from './list-orders.ts';
import { readResolutionEvents } from './resolutions.ts';

export type AdminOrderFound = {
  readonly placed: OrderPlaced;
  /** Of the rugs that the shop received. */
  readonly measured: readonly MeasuredSize[];
  readonly summary: OrderSummary;
  readonly capture: PaymentCaptured | undefined;
  /** The hold that became the capture. */
  readonly hold: PaymentAuthorized | undefined;
  readonly isFeeKnown: boolean;
  readonly refundable: Cents;
  readonly charges: OrderCharges;
  readonly block: RefundBlock | undefined;
  /** Of refunds that failed, and that nobody made good since. */
  readonly owed: Cents;
  /** The customer was asked for a difference and has not paid it. */
  readonly isAsked: boolean;
  /** With its supplements. */
  readonly refundStatus: RefundStanding;
  readonly refunds: readonly RefundHistoryRow[];
  readonly completed: ReadonlyMap<string, CompletedRefund>;
  readonly lines: readonly TimelineLine[];
  /** Undefined after the contact was erased. */
  readonly kept: KeptContact | undefined;
  readonly erasableTexts: number;
};

export async function findAdminOrder(
  sql: Sql,
  orderId: OrderId,
  { now, timeZone }: ShopClock,
): Promise<AdminOrderFound | undefined> {
  const [stream, kept, resolutions, standing, texts] = await Promise.all([
    readOrder(sql, orderId),
    readContact(sql, orderId),
    readResolutionEvents(sql),
    readStanding(sql, orderId),
    countRefundTexts(sql, orderId),
  ]);
  const summary = summaryOf(stream.events);
  if (summary === undefined) return undefined;
  // Read after the events: streams only grow, so each event read above has its actor here.
  const actors = await readActors(sql, orderId);
  const events = eventsOf(stream);
  const placed = events.find((event) => event.type === 'OrderPlaced');
  if (placed === undefined) throw new Error(`Order ${orderId} was never placed`);
  const capture = events.find((event) => event.type === 'PaymentCaptured');
  const measured = events.findLast(
    (event) => event.type === 'RugsReceived' || (event.type === 'StepUndone' && event.step === 'received'),
  );
  const state = refundStateOf(stream);
  const told = await withRefundTexts(sql, stream);
  return {
    placed,
    measured: measured?.type === 'RugsReceived' ? measured.sizes : [],
    summary,
    capture,
    hold: events
      .filter((event) => event.type === 'PaymentAuthorized')
      .find(({ paymentId }) => paymentId === capture?.paymentId),
    isFeeKnown: events.some((event) => event.type === 'ProcessingFeeAssessed'),
    refundable: refundableOf(state),
    charges: refundableCharges(state),
    block: refundBlock(state, now().toISOString()),
    ...standing,
    refunds: refundHistory(orderId, told.events).toReversed(),
    completed: completedRefunds(state),
    lines: timeline(
      told.events.map((event) => ({ ...event, actor: actors.get(event.version) ?? '' })),
      (instant) => dayIn(timeZone, new Date(instant)),
      resolutions.flatMap(({ event, at }) =>
        'orderId' in event && event.orderId === orderId ? [{ event, occurredAt: at }] : [],
      ),
    ),
    kept,
    erasableTexts: texts,
  };
}

type Standing = Pick<AdminOrderFound, 'owed' | 'isAsked' | 'refundStatus'>;

async function readStanding(sql: Sql, orderId: OrderId): Promise<Standing> {
  const [row] = await sql<{ owed: number; is_asked: boolean; refund_status: RefundStanding }[]>`
    select ${isAsked(sql)} as is_asked, ${familyRefundStatus(sql)} as refund_status, (
      select coalesce(sum(amount_cents), 0)::bigint from ledger.owed_refund owed where owed.order_id = ${orderId}::uuid
    ) as owed
    from ledger.order_summary listed where order_id = ${orderId}::uuid`;
  return { owed: cents(row?.owed ?? 0), isAsked: row?.is_asked === true, refundStatus: row?.refund_status ?? 'none' };
}

async function countRefundTexts(sql: Sql, orderId: OrderId): Promise<number> {
  const [row] = await sql<{ texts: number }[]>`
    select count(*) as texts from ledger.refund_text where order_id = ${orderId}::uuid`;
  return row?.texts ?? 0;
}

async function readActors(sql: Sql, orderId: OrderId): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ version: number; actor: string }[]>`
    select version, actor from ledger.event where stream_id = ${`order-${orderId}`}`;
  return new Map(rows.map(({ version, actor }) => [version, actor]));
}
