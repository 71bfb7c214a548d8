import { toDollars } from '@kilim/domain/money';
import type { SoldRug } from '@kilim/domain/order/events';
import { parseOrderId } from '@kilim/domain/order/ids';
import { noRugCharges, rugTotal } from '@kilim/domain/order/refund-allocation';
import { type RefundStanding, refundStanding } from '@kilim/domain/projection/order-summary';
import type { TimelineLine } from '@kilim/domain/projection/timeline';
import type { RugCharges } from '@kilim/domain/quote';
import { Hono } from 'hono';
import { z } from 'zod';
import { addOnCosts, quotedRug } from '../../../contract/quote.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type AdminOrderFound, findAdminOrder } from '../../queries/find-admin-order.ts';
import { type ListedOrder, listOrders } from '../../queries/list-orders.ts';
import { day, daysOutOfOrder, describePages, inOrderOfDays, pageQuery, parseQuery } from '../list-query.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { customerInfoAnswer, linesAnswer, rugAnswer } from '../shop/wire-mapping.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import { refundAnswer } from './refund-answer.ts';
import { refundBlockAnswer } from './refund-problem.ts';
import type {
  AdminOrder,
  AdminOrderAnswer,
  AdminOrderItem,
  AdminOrderRow,
  AdminPayment,
  OrderRefundStatus,
  RugChargesAnswer,
  TimelineEntryAnswer,
} from './wire.ts';

export type AdminOrdersOptions = {
  readonly sql: Sql;
  readonly now: () => Date;
  readonly guard: AdminGuard;
  /** In which days begin. */
  readonly timeZone: string;
};

export const orderNotFound: Problem = { status: 404, code: 'NotFound', message: 'Order not found' };

const ordersQuery = z
  .object({
    ...pageQuery,
    status: z.enum(['none', 'pending', 'partial', 'full'], 'Please give none, pending, partial or full').optional(),
    payment: z.enum(['paid', 'attempts', 'all'], 'Please give paid, attempts or all').optional(),
    delivery: z.enum(['dropoff', 'pickup'], 'Please give dropoff or pickup').optional(),
    from: day,
    to: day,
    sort: z.enum(['-createdAt', 'createdAt'], 'Please give -createdAt or createdAt').default('-createdAt'),
  })
  .refine(inOrderOfDays, daysOutOfOrder);

/** The list of orders, and one order with all that is known of it. */
export function adminOrders({ sql, now, guard, timeZone }: AdminOrdersOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/orders',
      guard.signedIn(async (c) => {
        const query = parseQuery(c, ordersQuery);
        if (!query.ok) return answerProblem(c, query.rejection);
        const { status: refunds, sort, page, pageSize, search, delivery, from, to } = query.value;
        // Whoever searches means somebody, whatever became of their payment.
        const payment = query.value.payment ?? (search === undefined ? 'paid' : 'all');
        const filters = { search, refunds, payment, delivery, from, to, timeZone };
        const orders = await repeatWhileAway(() =>
          listOrders(sql, { ...filters, page, pageSize, newestFirst: sort === '-createdAt' }),
        );
        describePages(c, orders, { page, pageSize });
        return c.json(orders.rows.map(rowAnswer));
      }),
    )
    .get(
      '/orders/:id',
      guard.signedIn<'/orders/:id'>(async (c) => {
        const orderId = parseOrderId(c.req.param('id'));
        const found = orderId && (await repeatWhileAway(() => findAdminOrder(sql, orderId, now())));
        return found === undefined ? answerProblem(c, orderNotFound) : c.json(orderAnswer(found));
      }),
    );
}

const refundStatuses = {
  none: 'No Refunds',
  pending: 'Refund Pending',
  partial: 'Partially Refunded',
  full: 'Fully Refunded',
} satisfies Record<RefundStanding, OrderRefundStatus>;

function rowAnswer(row: ListedOrder): AdminOrderRow {
  return {
    _id: row.orderId,
    createdAt: row.placedAt.toISOString(),
    totalCost: toDollars(row.total),
    paymentId: row.paymentId,
    paymentStatus: row.paymentStatus,
    includesDelivery: row.delivery === 'pickup',
    customerInfo: row.contact ?? null,
    rugCount: row.rugCount,
    refundStatus: refundStatuses[row.refunds],
    remainingRefundable: toDollars(row.refundable),
    disputeStatus: row.disputeStatus,
  };
}

function orderAnswer(found: AdminOrderFound): AdminOrderAnswer {
  return {
    order: orderFacts(found),
    items: found.placed.rugs.map((rug, index) => itemAnswer(rug, index, found)),
    timeline: found.lines.map(lineAnswer),
    refunds: found.refunds.map(refundAnswer),
  };
}

function orderFacts(found: AdminOrderFound): AdminOrder {
  const { placed, summary, charges, block, kept } = found;
  const { subtotal, delivery, deliveryMinimum, addOns, salesTax } = linesAnswer(placed.lines);
  return {
    _id: summary.orderId,
    createdAt: summary.placedAt,
    paidAt: summary.paidAt ?? null,
    totalCost: toDollars(summary.total),
    paymentId: summary.paymentId ?? null,
    paymentStatus: summary.paymentStatus,
    includesDelivery: summary.deliveryOption === 'pickup',
    deliveryOption: summary.deliveryOption,
    customerInfo: kept === undefined ? null : customerInfoAnswer(kept.contact),
    subtotal: toDollars(subtotal),
    delivery: toDollars(delivery),
    deliveryMinimum: toDollars(deliveryMinimum),
    addOns: z.encode(addOnCosts, addOns),
    salesTax: toDollars(salesTax),
    payment: paymentFacts(found),
    refundStatus: refundStatuses[refundStanding(summary)],
    refunded: toDollars(summary.refunded),
    refundPending: toDollars(summary.refundPending),
    remainingRefundable: toDollars(found.refundable),
    refundableDeliveryMinimum: toDollars(charges.deliveryMinimum),
    refundBlock: block === undefined ? null : refundBlockAnswer(block),
    disputeStatus: summary.disputeStatus,
    source: placed.source,
  };
}

function paymentFacts({ capture, hold, isFeeKnown, summary }: AdminOrderFound): AdminPayment | null {
  if (capture === undefined || hold === undefined) return null;
  return {
    squarePaymentId: hold.squarePaymentId,
    cardBrand: hold.cardBrand,
    cardLastFour: hold.cardLastFour,
    amount: toDollars(capture.amount),
    receiptUrl: capture.receiptUrl ?? null,
    receiptNumber: capture.receiptNumber ?? null,
    capturedAt: capture.capturedAt,
    fee: isFeeKnown ? toDollars(summary.fees) : null,
  };
}

function itemAnswer(rug: SoldRug, index: number, { charges }: AdminOrderFound): AdminOrderItem {
  // Nothing is left of a rug that has not been paid.
  const left = charges.rugs[index] ?? noRugCharges;
  return {
    ...z.encode(quotedRug, rugAnswer(rug)),
    ...chargesAnswer(rug.charges),
    refundable: toDollars(rugTotal(left)),
    refundableCharges: chargesAnswer(left),
  };
}

function chargesAnswer({ base, delivery, stainProtection, greenPad, salesTax }: RugCharges): RugChargesAnswer {
  return {
    baseCost: toDollars(base),
    deliveryCost: toDollars(delivery),
    stainProtectionCost: toDollars(stainProtection),
    mothProtectionCost: toDollars(greenPad),
    salesTax: toDollars(salesTax),
  };
}

function lineAnswer({ occurredAt, what, detail, amount, tone, who }: TimelineLine): TimelineEntryAnswer {
  return {
    at: occurredAt,
    what,
    detail: detail ?? null,
    amount: amount === undefined ? null : toDollars(amount),
    tone,
    who,
  };
}
