import { type PaymentId, parsePaymentId } from '@kilim/domain/order/ids';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { saveOrderRequest } from '../../../contract/order-request.ts';
import type { CustomerInfo } from '../../../contract/quote.ts';
import { type PaidOrder, paidOrder, verification } from '../../../contract/receipt.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type FoundOrder, findOrderByPayment } from '../../queries/find-order.ts';
import type { World } from '../../server/world.ts';
import { verifyPayment } from '../../use-case/verify-payment.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { type Throttles, throttle } from '../throttle.ts';
import { body } from '../validate.ts';
import type { ReceiptCookie } from './receipt-cookie.ts';
import { paymentAnswer, refundsAnswer } from './receipt-facts.ts';
import { customerInfoAnswer, linesAnswer, maskedCustomerInfo, rugAnswer } from './wire-mapping.ts';

const notFound: Problem = { status: 404, code: 'NotFound', message: "We couldn't find your payment details." };

export type OrdersOptions = {
  readonly world: World;
  readonly receipts: ReceiptCookie;
  readonly throttles: Throttles;
};

const lookedUp = { name: 'order', perSeconds: 60, mostPerAddress: 300, mostPerNetwork: 1500 };
/** This call may ask Square. */
const verified = { name: 'verify', perSeconds: 60, mostPerAddress: 120, mostPerNetwork: 600 };

export function orders({ world, receipts, throttles }: OrdersOptions) {
  const throttleLookUps = throttle(throttles, lookedUp);
  const find = (text: string) => {
    const paymentId: PaymentId | undefined = parsePaymentId(text);
    return paymentId === undefined ? undefined : repeatWhileAway(() => findOrderByPayment(world.sql, paymentId));
  };
  return new Hono()
    .get('/orders/payment/:paymentId', throttleLookUps, async (c) => {
      const found = await find(c.req.param('paymentId'));
      return found === undefined
        ? answerProblem(c, notFound)
        : c.json(z.encode(paidOrder, orderAnswer(c, found, receipts)));
    })
    .post('/save-order', throttleLookUps, body(saveOrderRequest), async (c) => {
      const { paymentId, order } = c.req.valid('json');
      const found = await find(paymentId);
      if (found === undefined) return answerProblem(c, notFound);
      const { orderId } = order;
      if (orderId !== undefined && orderId !== found.stream.orderId) {
        return answerProblem(c, {
          status: 409,
          code: 'OrderDiffers',
          message: 'This payment belongs to another order.',
          fields: { paymentId: 'This payment belongs to another order.' },
        });
      }
      return c.json(z.encode(paidOrder, orderAnswer(c, found, receipts)));
    })
    .get('/verify-payment/:paymentId', throttle(throttles, verified), async (c) => {
      const paymentId = parsePaymentId(c.req.param('paymentId'));
      const status = paymentId === undefined ? undefined : await verifyPayment(world, paymentId);
      return status === undefined ? answerProblem(c, notFound) : c.json(z.encode(verification, { status }));
    });
}

function orderAnswer(c: Context, found: FoundOrder, receipts: ReceiptCookie): PaidOrder {
  const { placed, summary, capture } = found;
  const { subtotal, deliveryCost, addOns, salesTax } = linesAnswer(placed.lines);
  return {
    order: {
      _id: summary.orderId,
      paymentId: summary.paymentId ?? '',
      paymentStatus: summary.paymentStatus,
      deliveryOption: placed.deliveryOption,
      includesDelivery: placed.deliveryOption === 'pickup',
      customerInfo: contactFor(c, found, receipts),
      subtotal,
      deliveryCost,
      addOns,
      salesTax,
      totalCost: placed.total,
      createdAt: summary.placedAt,
      paidAt: summary.paidAt ?? null,
      receiptUrl: capture?.receiptUrl ?? null,
    },
    items: placed.rugs.map(rugAnswer),
    payment: paymentAnswer(found.stream.events),
    refunds: refundsAnswer(found.stream.events),
  };
}

/** A receipt's link may be shared, so only the browser that paid sees the contact unmasked. */
function contactFor(c: Context, { kept }: FoundOrder, receipts: ReceiptCookie): CustomerInfo {
  if (kept === undefined) return { name: '', email: '', phone: '', address: '', city: '', state: '', zipCode: '' };
  return receipts.holds(c, kept.receiptTokenHash) ? customerInfoAnswer(kept.contact) : maskedCustomerInfo(kept.contact);
}
