import type { MeasuredSize, SoldRug } from '@kilim/domain/order/events';
import { parseOrderId } from '@kilim/domain/order/ids';
import { noRugCharges, rugTotal } from '@kilim/domain/order/refund-allocation';
import type { RefundStanding } from '@kilim/domain/projection/order-summary';
import type { TimelineLine } from '@kilim/domain/projection/timeline';
import type { RugCharges } from '@kilim/domain/quote';
import type * as z from 'zod/mini';
import type {
  OrderDetail,
  OrderItem,
  OrderRefundStatus,
  OrderRow,
  RugChargeCosts,
  TimelineEntry,
} from '../../../../contract/orders.ts';
import type { ordersQuery } from '../../../../contract/queries.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type BesideOrder, nothingBeside, readBesideOrder } from '../../queries/beside-order.ts';
import type { ShopClock } from '../../queries/current-rates.ts';
import { type AdminOrderFound, findAdminOrder } from '../../queries/find-admin-order.ts';
import { type ListedOrder, listOrders } from '../../queries/list-orders.ts';
import { describePages } from '../describe-pages.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { type ProvenSession, sessionMay } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { customerInfoAnswer, linesAnswer, maskedContact, maskedCustomerInfo, rugAnswer } from '../shop/wire-mapping.ts';
import { refundAnswer } from './refund-answer.ts';
import { refundBlockAnswer } from './refund-problem.ts';

type OrdersOptions = ShopClock & { readonly sql: Sql };

export const orderNotFound: Problem = { status: 404, code: 'NotFound', message: 'Order not found' };

export function serveOrders(serve: Serve, { sql, now, timeZone }: OrdersOptions): void {
  serve('GET /api/admin/orders', async (c, { by: session, query: asked, answer }) => {
    const { page, pageSize } = asked;
    const request = { ...listRequest(asked, session, timeZone), page, pageSize };
    const orders = await repeatWhileAway(() => listOrders(sql, request));
    describePages(c, orders, { page, pageSize });
    const readsContacts = sessionMay(session, 'readContacts');
    return answer(
      200,
      orders.rows.map((row) => rowAnswer(row, readsContacts)),
    );
  });
  serve('GET /api/admin/orders/:id', async (c, { by: session, params, answer }) => {
    const orderId = parseOrderId(params.id);
    const readsContacts = sessionMay(session, 'readContacts');
    const found = orderId && (await repeatWhileAway(() => findAdminOrder(sql, orderId, { now, timeZone })));
    if (found === undefined) return answerProblem(c, orderNotFound);
    const beside = readsContacts ? await repeatWhileAway(() => readBesideOrder(sql, found)) : nothingBeside;
    return answer(200, orderAnswer(found, beside, readsContacts));
  });
}

export function listRequest(
  { status: refunds, sort, search, delivery, stage, from, to, ...asked }: z.output<typeof ordersQuery>,
  session: ProvenSession,
  timeZone: string,
) {
  // A search looks for one customer, so it includes failed payments.
  const payment = asked.payment ?? (search === undefined ? 'paid' : 'all');
  const searchesContacts = sessionMay(session, 'readContacts');
  const newestFirst = sort === '-createdAt';
  return { search, searchesContacts, refunds, payment, delivery, stage, from, to, timeZone, newestFirst } as const;
}

const refundStatuses = {
  none: 'No Refunds',
  pending: 'Refund Pending',
  partial: 'Partially Refunded',
  full: 'Fully Refunded',
} satisfies Record<RefundStanding, OrderRefundStatus>;

function rowAnswer(row: ListedOrder, readsContacts: boolean): OrderRow {
  const { contact } = row;
  return {
    _id: row.orderId,
    createdAt: row.placedAt.toISOString(),
    totalCost: row.total,
    paymentId: row.paymentId,
    paymentStatus: row.paymentStatus,
    includesDelivery: row.delivery === 'pickup',
    customerInfo: contact === undefined ? null : readsContacts ? contact : maskedContact(contact),
    rugCount: row.rugCount,
    refundStatus: refundStatuses[row.refunds],
    remainingRefundable: row.refundable,
    disputeStatus: row.disputeStatus,
    stage: row.stage,
    isAsked: row.isAsked,
    owedRefund: row.owed,
  };
}

function orderAnswer(
  found: AdminOrderFound,
  { notes, others, mails }: BesideOrder,
  readsContacts: boolean,
): OrderDetail {
  return {
    order: orderFacts(found, readsContacts),
    items: found.placed.rugs.map((rug, index) => itemAnswer(rug, found.charges.rugs[index], found.measured[index])),
    timeline: found.lines.map(lineAnswer),
    refunds: found.refunds.map(refundAnswer),
    refundedCharges: [...found.completed].map(([refundId, { allocation }]) => ({
      refundId,
      rugs: allocation.rugs.map(({ rugIndex, charges }) => ({ rugIndex, charges: chargesAnswer(charges) })),
      deliveryMinimum: allocation.deliveryMinimum,
    })),
    notes: notes.map(({ id, text, by, at, deletedBy, deletedAt }) => ({
      ...{ id, text, by, at: at.toISOString() },
      deleted: deletedBy === null || deletedAt === null ? null : { by: deletedBy, at: deletedAt.toISOString() },
    })),
    mails,
    otherOrders: others.map((row) => rowAnswer(row, readsContacts)),
  };
}

function orderFacts(found: AdminOrderFound, readsContacts: boolean): OrderDetail['order'] {
  const contactAnswer = readsContacts ? customerInfoAnswer : maskedCustomerInfo;
  const { placed, summary, charges, block, kept, erasableTexts } = found;
  return {
    _id: summary.orderId,
    createdAt: summary.placedAt,
    paidAt: summary.paidAt ?? null,
    totalCost: summary.total,
    paymentId: summary.paymentId ?? null,
    paymentStatus: summary.paymentStatus,
    includesDelivery: summary.deliveryOption === 'pickup',
    deliveryOption: summary.deliveryOption,
    agreedPickup: summary.pickup ?? null,
    customerInfo: kept === undefined ? null : contactAnswer(kept.contact),
    ...linesAnswer(placed.lines),
    salesTaxName: placed.salesTax.name,
    payment: paymentFacts(found),
    refundStatus: refundStatuses[found.refundStatus],
    refunded: summary.refunded,
    refundPending: summary.refundPending,
    remainingRefundable: found.refundable,
    refundableDeliveryMinimum: charges.deliveryMinimum,
    refundBlock: block === undefined ? null : refundBlockAnswer(block),
    disputeStatus: summary.disputeStatus,
    stage: summary.stage,
    isAsked: found.isAsked,
    owedRefund: found.owed,
    source: placed.source,
    erasableTexts,
    supplementOf: summary.supplementOf ?? null,
  };
}

function paymentFacts({ capture, hold, isFeeKnown, summary }: AdminOrderFound): OrderDetail['order']['payment'] {
  if (capture === undefined || hold === undefined) return null;
  return {
    squarePaymentId: hold.squarePaymentId,
    cardBrand: hold.cardBrand,
    cardLastFour: hold.cardLastFour,
    amount: capture.amount,
    receiptUrl: capture.receiptUrl ?? null,
    receiptNumber: capture.receiptNumber ?? null,
    capturedAt: capture.capturedAt,
    fee: isFeeKnown ? summary.fees : null,
  };
}

/** @param left the refundable part of the rug's charges; none before the order is paid. */
function itemAnswer(rug: SoldRug, left: RugCharges = noRugCharges, measured?: MeasuredSize): OrderItem {
  return {
    ...rugAnswer(rug),
    ...chargesAnswer(rug.charges),
    refundable: rugTotal(left),
    refundableCharges: chargesAnswer(left),
    measured: measured ?? null,
  };
}

function chargesAnswer({ base, delivery, stainProtection, greenPad, salesTax }: RugCharges): RugChargeCosts {
  return {
    baseCost: base,
    deliveryCost: delivery,
    stainProtectionCost: stainProtection,
    mothProtectionCost: greenPad,
    salesTax,
  };
}

function lineAnswer({ occurredAt, what, detail, amount, tone, who }: TimelineLine): TimelineEntry {
  return { at: occurredAt, what, detail: detail ?? null, amount: amount ?? null, tone, who };
}
