import { deliveryOptions, tiers } from '@kilim/domain/catalog';
import { pickupWindows } from '@kilim/domain/contact';
import {
  correctionReasons,
  intakeSteps,
  type OrderEvent,
  paymentRisks,
  reimbursementMethods,
  shopPaymentMethods,
  voidReasons,
  waiverReasons,
} from '@kilim/domain/order/events';
import { parseIdempotencyKey, parseOrderId, parsePaymentId, parseRefundId } from '@kilim/domain/order/ids';
import { refundReasons } from '@kilim/domain/order/refund-reasons';
import { rugChargeNames } from '@kilim/domain/quote';
import type { SalesTax } from '@kilim/domain/rates';
import { addOns } from '@kilim/domain/rug';
import { z } from 'zod';
import { branded, type Columns, createCodec, day, each, inches, millipercent, money } from './codec.ts';

const orderId = branded('an order id', parseOrderId);
const paymentId = branded('a payment id', parsePaymentId);
const idempotencyKey = branded('an idempotency key', parseIdempotencyKey);
const refundId = branded('a refund id', parseRefundId);

const rugCharges = z.object({
  base: money,
  delivery: money,
  stainProtection: money,
  greenPad: money,
  salesTax: money,
});
const allocation = z.object({
  rugs: z.array(z.object({ rugIndex: z.int(), charges: rugCharges })),
  deliveryMinimum: money,
});
const refundedCharge = z.object({ rugIndex: z.int(), charge: z.enum(rugChargeNames), amount: money });
const split = z.object({
  services: money,
  addOns: money,
  delivery: money,
  deliveryMinimum: money,
  salesTax: money,
});

const soldRug = z.object({
  width: inches,
  length: inches,
  tier: z.enum(tiers),
  ...each(addOns, z.boolean()),
  price: money,
  charges: rugCharges,
  total: money,
});

const salesTax = z.object({ name: z.string(), millipercent, since: day });

/** @param text the tax in the payload of `OrderPlaced`, as JSON. @throws Error when there is none. */
export function decodeSalesTax(text: string | null): SalesTax {
  return salesTax.parse(text === null ? undefined : JSON.parse(text));
}

/** The total of `OrderPlaced`, otherwise the event's amount. */
function columnsOf(event: OrderEvent): Columns {
  const amount = 'amount' in event ? event.amount : null;
  return {
    amountCents: event.type === 'OrderPlaced' ? event.total : amount,
    refundId: 'refundId' in event ? event.refundId : null,
  };
}

/** The events of an order, and those of a payment at Square that belongs to no order. */
export const orderCodec = createCodec<OrderEvent>({
  columnsOf,
  payloads: {
    OrderPlaced: z.object({
      orderId,
      supplementOf: orderId.exactOptional(),
      rugs: z.array(soldRug),
      deliveryOption: z.enum(deliveryOptions),
      lines: z.object({
        subtotal: money,
        delivery: money,
        deliveryMinimum: money,
        stainProtection: money,
        greenPad: money,
        salesTax: money,
      }),
      salesTax,
      total: money,
      settingsVersion: z.int(),
      source: z.object({ embedded: z.boolean(), variant: z.string() }),
      contactDigest: z.string(),
    }),
    PaymentStarted: z.object({ paymentId, idempotencyKey, amount: money }),
    PaymentAuthorized: z.object({
      paymentId,
      squarePaymentId: z.string(),
      cardBrand: z.string(),
      cardLastFour: z.string(),
      risk: z.enum(paymentRisks).exactOptional(),
    }),
    PaymentCaptured: z.object({
      paymentId,
      amount: money,
      receiptUrl: z.string().exactOptional(),
      receiptNumber: z.string().exactOptional(),
      capturedAt: z.string(),
    }),
    CustomerPaid: z.object({
      paymentId,
      idempotencyKey,
      amount: money,
      method: z.enum(shopPaymentMethods),
      reference: z.string().exactOptional(),
      paidAt: z.string(),
    }),
    PaymentDeclined: z.object({ paymentId, code: z.string(), category: z.string() }),
    PaymentVoided: z.object({
      paymentId,
      reason: z.enum(voidReasons),
    }),
    ProcessingFeeAssessed: z.object({ paymentId, squareId: z.string(), amount: money }),
    RefundRequested: z.object({
      refundId,
      paymentId,
      refundType: z.enum(['full', 'partial']),
      amount: money,
      reason: z.string(),
      textDigest: z.string().exactOptional(),
      items: z.array(z.object({ rugIndex: z.int(), amount: money })),
      charges: z.array(refundedCharge),
      deliveryMinimum: money,
      allocation,
      split,
      requestedBy: z.string(),
    }),
    RefundSubmitted: z.object({ refundId, squareRefundId: z.string() }),
    RefundCompleted: z.object({ refundId, squareRefundId: z.string(), amount: money, completedAt: z.string() }),
    RefundFailed: z.object({
      refundId,
      amount: money,
      squareRefundId: z.string().exactOptional(),
      code: z.string(),
    }),
    ExternalRefundRecorded: z.object({
      paymentId,
      squareRefundId: z.string(),
      amount: money,
      allocation,
      split,
      refundedAt: z.string(),
    }),
    CustomerReimbursed: z.object({
      reimbursementId: refundId,
      paymentId,
      amount: money,
      method: z.enum(reimbursementMethods),
      paidOn: day,
      reference: z.string().exactOptional(),
      reason: z.enum(refundReasons),
      allocation,
      split,
      reimbursedBy: z.string(),
      recordedAt: z.string(),
    }),
    RefundSplitCorrected: z.object({
      correctedRefundId: z.string(),
      amount: money,
      reason: z.string().exactOptional(),
      why: z.enum(correctionReasons),
      before: allocation,
      items: z.array(z.object({ rugIndex: z.int(), amount: money })),
      deliveryMinimum: money,
      allocation,
      split,
      by: z.string(),
    }),
    ExcessRefundFound: z.object({ paymentId, squareRefundId: z.string(), amount: money, refundedAt: z.string() }),
    DisputeOpened: z.object({
      paymentId,
      squareDisputeId: z.string(),
      amount: money,
      reason: z.string(),
      dueAt: z.string().exactOptional(),
    }),
    DisputeClosed: z.object({
      paymentId,
      squareDisputeId: z.string(),
      amount: money,
      outcome: z.enum(['won', 'lost', 'accepted']),
    }),
    OrphanPaymentFound: z.object({
      squarePaymentId: z.string(),
      amount: money,
      reference: z.string().exactOptional(),
      takenAt: z.string(),
    }),
    OrphanPaymentReturned: z.object({
      squarePaymentId: z.string(),
      squareRefundId: z.string(),
      amount: money,
      returnedAt: z.string(),
    }),
    PickupAgreed: z.object({ day, window: z.enum(pickupWindows) }),
    RugsReceived: z.object({ sizes: z.array(z.object({ width: inches, length: inches })) }),
    SupplementRequested: z.object({ supplementId: orderId, amount: money, charges: allocation, expiresOn: day }),
    SupplementWithdrawn: z.object({ supplementId: orderId }),
    DifferenceWaived: z.object({ amount: money, reason: z.enum(waiverReasons) }),
    OrderReady: z.object({}),
    OrderHandedOver: z.object({}),
    StepUndone: z.object({ step: z.enum(intakeSteps) }),
    ContactErased: z.object({ erasedBy: z.string() }),
  },
});
