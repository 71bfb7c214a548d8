import { type Contact, emptyContact } from '@kilim/domain/contact';
import type { SupplementRequested } from '@kilim/domain/order/events';
import { parsePaymentId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { BusinessDetails } from '@kilim/domain/settings/settings';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { CustomerInfo } from '../../../../contract/quote.ts';
import { type PaidOrder, paidOrder } from '../../../../contract/receipt.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type FoundOrder, findOrderByPayment } from '../../queries/find-order.ts';
import { type ConfirmationMail, readConfirmation } from '../../queries/order-mails.ts';
import { type PaidDifference, readOpenRequest, readPaidDifferences } from '../../queries/read-open-request.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { verifyPayment } from '../../use-case/verify-payment.ts';
import type { World } from '../../use-case/world.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { OpenName, Serve } from '../serve.ts';
import { type Throttles, throttle } from '../throttle/throttle.ts';
import { calendarOf } from './receipt-calendar.ts';
import type { ReceiptCookie } from './receipt-cookie.ts';
import { paidInShopAnswer, paymentAnswer, refundsAnswer } from './receipt-facts.ts';
import { customerInfoAnswer, linesAnswer, maskedCustomerInfo, rugAnswer } from './wire-mapping.ts';

const notFound: Problem = { status: 404, code: 'NotFound', message: "We couldn't find your payment details." };

/** A receipt opens for this long, because whoever has its link can open it. The receipt at Square stays. */
const receiptDays = 90;
const expired: Problem = {
  status: 410,
  code: 'ReceiptExpired',
  message: `This receipt is older than ${receiptDays} days. Please contact us if you need it.`,
};
const noDay: Problem = { status: 404, code: 'NoDay', message: 'No day was chosen for this order.' };

export type OrdersOptions = {
  readonly world: World;
  readonly business: () => BusinessDetails;
  readonly timeZone: string;
  readonly shopUrl: string;
  readonly receipts: ReceiptCookie;
  readonly throttles: Throttles;
  readonly sendsMails: boolean;
};

const lookedUp = { name: 'order', perSeconds: 60, mostPerAddress: 300, mostPerNetwork: 1500 };
/** This call may ask Square. */
const verified = { name: 'verify', perSeconds: 60, mostPerAddress: 120, mostPerNetwork: 600 };

export function serveOrders(serve: Serve<OpenName>, options: OrdersOptions): void {
  const { world, receipts, throttles, business, timeZone, shopUrl } = options;
  const throttleLookUps = throttle(throttles, lookedUp);
  const open = async (text: string): Promise<Result<FoundOrder, Problem>> => {
    const paymentId = parsePaymentId(text);
    if (paymentId === undefined) return rejected(notFound);
    const found = await repeatWhileAway(() => findOrderByPayment(world.sql, paymentId));
    if (found === undefined) return rejected(notFound);
    return isExpired(found, world.now()) ? rejected(expired) : ok(found);
  };
  const answerOrder = async (c: Context, found: FoundOrder) =>
    c.json(z.encode(paidOrder, orderAnswer(c, await readBeside(options, found), receipts)));
  serve(
    'GET /api/orders/payment/:paymentId',
    async (c, { params }) => {
      const opened = await open(params.paymentId);
      return opened.ok ? await answerOrder(c, opened.value) : answerProblem(c, opened.rejection);
    },
    { limit: throttleLookUps },
  );
  serve(
    'GET /api/orders/payment/:paymentId/calendar',
    async (c, { params }) => {
      const paymentId = params.paymentId;
      const opened = await open(paymentId);
      if (!opened.ok) return answerProblem(c, opened.rejection);
      const found = opened.value;
      const calendar = calendarOf({
        found,
        contact: ownContact(c, found, receipts),
        business: business(),
        today: dayIn(timeZone, world.now()),
        receiptUrl: new URL(`/payment-success?payment_id=${paymentId}`, shopUrl).href,
      });
      if (calendar === undefined) return answerProblem(c, noDay);
      const fileName = `order-${orderNumberOf(found.placed.orderId)}.ics`;
      return c.body(calendar, 200, {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName}"`,
      });
    },
    { limit: throttleLookUps },
  );
  serve(
    'POST /api/save-order',
    async (c, { body }) => {
      const { paymentId, order } = body;
      const opened = await open(paymentId);
      if (!opened.ok) return answerProblem(c, opened.rejection);
      const { orderId } = order;
      if (orderId !== undefined && orderId !== opened.value.stream.orderId) {
        return answerProblem(c, {
          status: 409,
          code: 'OrderDiffers',
          message: 'This payment belongs to another order.',
          fields: { paymentId: 'This payment belongs to another order.' },
        });
      }
      return await answerOrder(c, opened.value);
    },
    { limit: throttleLookUps },
  );
  serve(
    'GET /api/verify-payment/:paymentId',
    async (c, { params, answer }) => {
      const paymentId = parsePaymentId(params.paymentId);
      const status = paymentId === undefined ? undefined : await verifyPayment(world, paymentId);
      return status === undefined ? answerProblem(c, notFound) : answer(200, { status });
    },
    { limit: throttle(throttles, verified) },
  );
}

type Answered = {
  readonly found: FoundOrder;
  readonly confirmationMail: ConfirmationMail;
  readonly request: SupplementRequested | undefined;
  readonly paidDifferences: PaidDifference[];
};

async function readBeside({ world, timeZone, sendsMails }: OrdersOptions, found: FoundOrder): Promise<Answered> {
  const today = dayIn(timeZone, world.now());
  const [confirmationMail, request, paidDifferences] = await Promise.all([
    sendsMails ? confirmationOf(world, found) : ('none' as const),
    repeatWhileAway(() => readOpenRequest(world.sql, found, today)),
    repeatWhileAway(() => readPaidDifferences(world.sql, found.summary.orderId)),
  ]);
  return { found, confirmationMail, request, paidDifferences };
}

async function confirmationOf({ sql, now }: World, { summary, kept }: FoundOrder): Promise<ConfirmationMail> {
  const { orderId, paidAt } = summary;
  if (paidAt === undefined || kept === undefined || kept.contact.email === '') return 'none';
  return await repeatWhileAway(() => readConfirmation(sql, orderId, now().getTime() - Date.parse(paidAt)));
}

function orderAnswer(c: Context, answered: Answered, receipts: ReceiptCookie): PaidOrder {
  const { found, confirmationMail, request, paidDifferences } = answered;
  const { placed, summary, capture } = found;
  const { subtotal, deliveryCost, addOns, salesTax } = linesAnswer(placed.lines);
  return {
    order: {
      _id: summary.orderId,
      paymentId: summary.paymentId ?? '',
      paymentStatus: summary.paymentStatus,
      deliveryOption: placed.deliveryOption,
      includesDelivery: placed.deliveryOption === 'pickup',
      agreedPickup: summary.pickup && { pickupDay: summary.pickup.day, pickupWindow: summary.pickup.window },
      customerInfo: contactFor(c, found, receipts),
      subtotal,
      deliveryCost,
      addOns,
      salesTax,
      salesTaxName: placed.salesTax.name,
      totalCost: placed.total,
      createdAt: summary.placedAt,
      paidAt: summary.paidAt ?? null,
      confirmationMail,
      receiptUrl: capture?.receiptUrl ?? null,
      stage: summary.stage,
      difference: request === undefined ? null : { id: request.supplementId, amount: request.amount },
      paidDifferences,
      supplementOf: placed.supplementOf ?? null,
      paidInShop: paidInShopAnswer(found.stream.events),
    },
    items: placed.rugs.map(rugAnswer),
    payment: paymentAnswer(found.stream.events),
    refunds: refundsAnswer(found.stream.events),
  };
}

function isExpired({ summary }: FoundOrder, now: Date): boolean {
  const since = Date.parse(summary.paidAt ?? summary.placedAt);
  return now.getTime() - since > receiptDays * 24 * 60 * 60 * 1000;
}

/** A receipt's link may be shared, so only the browser that paid sees the contact unmasked. */
function contactFor(c: Context, found: FoundOrder, receipts: ReceiptCookie): CustomerInfo {
  if (found.kept === undefined) return emptyContact;
  const own = ownContact(c, found, receipts);
  return own === undefined ? maskedCustomerInfo(found.kept.contact) : customerInfoAnswer(own);
}

function ownContact(c: Context, { kept }: FoundOrder, receipts: ReceiptCookie): Contact | undefined {
  return kept !== undefined && receipts.holds(c, kept.receiptTokenHash) ? kept.contact : undefined;
}
