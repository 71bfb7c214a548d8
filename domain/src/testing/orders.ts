import type { Day } from '../day.ts';
import { cents } from '../money.ts';
import type {
  ContactErased,
  CustomerPaid,
  CustomerReimbursed,
  DifferenceWaived,
  DisputeClosed,
  DisputeOpened,
  ExcessRefundFound,
  ExternalRefundRecorded,
  OrderHandedOver,
  OrderPlaced,
  OrderReady,
  OrphanPaymentFound,
  OrphanPaymentReturned,
  PaymentAuthorized,
  PaymentCaptured,
  PaymentDeclined,
  PaymentStarted,
  PaymentVoided,
  PickupAgreed,
  ProcessingFeeAssessed,
  RefundCompleted,
  RefundFailed,
  RefundRequested,
  RefundSplitCorrected,
  RefundSubmitted,
  RugsReceived,
  StepUndone,
  SupplementRequested,
  SupplementWithdrawn,
} from '../order/events.ts';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from '../order/ids.ts';
import type { PlaceOrder } from '../order/place.ts';
import { noRugCharges } from '../order/refund-allocation.ts';
import { quoteOrder } from '../quote.ts';
import { builtInRates } from '../rates.ts';
import { economyWithGreenPad, largePremium } from './rugs.ts';

/** Two rugs with pickup, 758.22 in all, and the payments. */

export const orderA = '0199d5a0-7c00-7000-8000-00000000000a' as OrderId;
export const paymentA = 'a'.repeat(32) as PaymentId;
export const paymentB = 'b'.repeat(32) as PaymentId;
export const keyA = 'attempt-a-0000000000' as IdempotencyKey;
export const keyB = 'attempt-b-0000000000' as IdempotencyKey;

export const placeOrderA: PlaceOrder = {
  orderId: orderA,
  quote: quoteOrder({ rugs: [largePremium, economyWithGreenPad], deliveryOption: 'pickup' }, builtInRates),
  settingsVersion: 0,
  source: { embedded: false, variant: 'B' },
  contactDigest: 'c'.repeat(64),
};

export const totalA = cents(75_822);

export const orderAPlaced: OrderPlaced = {
  type: 'OrderPlaced',
  orderId: orderA,
  rugs: placeOrderA.quote.rugs.map(({ rug, price, charges, total }) => ({ ...rug, price, charges, total })),
  deliveryOption: 'pickup',
  lines: placeOrderA.quote.lines,
  salesTax: builtInRates.salesTax,
  total: totalA,
  settingsVersion: 0,
  source: placeOrderA.source,
  contactDigest: placeOrderA.contactDigest,
};

export const startedA: PaymentStarted = {
  type: 'PaymentStarted',
  paymentId: paymentA,
  idempotencyKey: keyA,
  amount: totalA,
};

export const authorizedA: PaymentAuthorized = {
  type: 'PaymentAuthorized',
  paymentId: paymentA,
  squarePaymentId: 'square-payment-a',
  cardBrand: 'VISA',
  cardLastFour: '1111',
  risk: 'normal',
};

export const capturedA: PaymentCaptured = {
  type: 'PaymentCaptured',
  paymentId: paymentA,
  amount: totalA,
  receiptUrl: 'https://square.example/receipt/a',
  receiptNumber: 'aaaa',
  capturedAt: '2026-11-21T12:00:02.000Z',
};

export const declinedA: PaymentDeclined = {
  type: 'PaymentDeclined',
  paymentId: paymentA,
  code: 'GENERIC_DECLINE',
  category: 'PAYMENT_METHOD_ERROR',
};

export const voidedA: PaymentVoided = { type: 'PaymentVoided', paymentId: paymentA, reason: 'AuthorizationUnknown' };

export const reimbursementA = 'reimbursement-a-000000' as RefundId;
export const refundA = 'refund-a-00000000000' as RefundId;
export const refundB = 'refund-b-00000000000' as RefundId;
export const refundC = 'refund-c-00000000000' as RefundId;

const chargesA = placeOrderA.quote.rugs.map(({ charges }) => charges);

/** 516.00, of which 40.00 is its pickup. */
export const refundOfFirstRug: RefundRequested = {
  type: 'RefundRequested',
  refundId: refundA,
  paymentId: paymentA,
  refundType: 'partial',
  amount: cents(51_600),
  reason: 'Damaged in the wash',
  items: [{ rugIndex: 0, amount: cents(51_600) }],
  charges: [],
  deliveryMinimum: cents(0),
  allocation: { rugs: chargesA.slice(0, 1).map((charges) => ({ rugIndex: 0, charges })), deliveryMinimum: cents(0) },
  split: {
    services: cents(47_600),
    addOns: cents(0),
    delivery: cents(4000),
    deliveryMinimum: cents(0),
    salesTax: cents(0),
  },
  requestedBy: 'admin',
};

export const submittedA: RefundSubmitted = {
  type: 'RefundSubmitted',
  refundId: refundA,
  squareRefundId: 'square-payment-a_refund-a',
};

export const completedA: RefundCompleted = {
  type: 'RefundCompleted',
  refundId: refundA,
  squareRefundId: 'square-payment-a_refund-a',
  amount: cents(51_600),
  completedAt: '2026-11-22T09:00:00.000Z',
};

export const failedA: RefundFailed = {
  type: 'RefundFailed',
  refundId: refundA,
  amount: cents(51_600),
  squareRefundId: 'square-payment-a_refund-a',
  code: 'FAILED',
};

export const feeA: ProcessingFeeAssessed = {
  type: 'ProcessingFeeAssessed',
  paymentId: paymentA,
  squareId: 'square-payment-a',
  amount: cents(2229),
};

/** Of a supplement. */
export const paidInShopA: CustomerPaid = {
  type: 'CustomerPaid',
  paymentId: paymentA,
  idempotencyKey: startedA.idempotencyKey,
  amount: totalA,
  method: 'check',
  reference: 'No. 2210',
  paidAt: '2026-11-23T10:00:00.000Z',
};

export const reimbursedA: CustomerReimbursed = {
  type: 'CustomerReimbursed',
  reimbursementId: reimbursementA,
  paymentId: paymentA,
  amount: cents(1000),
  method: 'check',
  paidOn: '2026-11-23' as Day,
  reference: 'No. 1042',
  reason: 'Rug damaged during cleaning',
  allocation: {
    rugs: [
      {
        rugIndex: 0,
        charges: {
          base: cents(1000),
          delivery: cents(0),
          stainProtection: cents(0),
          greenPad: cents(0),
          salesTax: cents(0),
        },
      },
    ],
    deliveryMinimum: cents(0),
  },
  split: { services: cents(1000), addOns: cents(0), delivery: cents(0), deliveryMinimum: cents(0), salesTax: cents(0) },
  reimbursedBy: 'ada',
  recordedAt: '2026-11-24T10:00:00.000Z',
};

export const externalRefundA: ExternalRefundRecorded = {
  type: 'ExternalRefundRecorded',
  paymentId: paymentA,
  squareRefundId: 'square-payment-a_dashboard',
  amount: cents(1000),
  allocation: {
    rugs: [
      {
        rugIndex: 0,
        charges: {
          base: cents(1000),
          delivery: cents(0),
          stainProtection: cents(0),
          greenPad: cents(0),
          salesTax: cents(0),
        },
      },
    ],
    deliveryMinimum: cents(0),
  },
  split: {
    services: cents(1000),
    addOns: cents(0),
    delivery: cents(0),
    deliveryMinimum: cents(0),
    salesTax: cents(0),
  },
  refundedAt: '2026-11-22T10:00:00.000Z',
};

export const excessRefundA: ExcessRefundFound = {
  type: 'ExcessRefundFound',
  paymentId: paymentA,
  squareRefundId: 'square-payment-a_dashboard-2',
  amount: cents(2500),
  refundedAt: '2026-11-22T11:00:00.000Z',
};

export const disputeOpenedA: DisputeOpened = {
  type: 'DisputeOpened',
  paymentId: paymentA,
  squareDisputeId: 'dispute-a',
  amount: totalA,
  reason: 'NOT_AS_DESCRIBED',
  dueAt: '2026-12-01T00:00:00.000Z',
};

export const disputeWonA: DisputeClosed = {
  type: 'DisputeClosed',
  paymentId: paymentA,
  squareDisputeId: 'dispute-a',
  amount: totalA,
  outcome: 'won',
};

export const orphanA: OrphanPaymentFound = {
  type: 'OrphanPaymentFound',
  squarePaymentId: 'square-payment-unknown',
  amount: cents(5000),
  reference: orderA,
  takenAt: '2026-11-21T12:30:00.000Z',
};

export const orphanReturnedA: OrphanPaymentReturned = {
  type: 'OrphanPaymentReturned',
  squarePaymentId: 'square-payment-unknown',
  squareRefundId: 'square-payment-unknown_return',
  amount: cents(5000),
  returnedAt: '2026-11-21T12:45:00.000Z',
};

export const pickupAgreedA: PickupAgreed = { type: 'PickupAgreed', day: '2026-11-27' as Day, window: 'morning' };

export const rugsReceivedA: RugsReceived = {
  type: 'RugsReceived',
  sizes: orderAPlaced.rugs.map(({ width, length }) => ({ width, length })),
};

export const supplementA = '0199d5a0-7c00-7000-8000-0000000000aa' as OrderId;

export const supplementRequestedA: SupplementRequested = {
  type: 'SupplementRequested',
  supplementId: supplementA,
  amount: cents(3_120),
  charges: {
    rugs: [{ rugIndex: 0, charges: { ...noRugCharges, base: cents(3_120) } }],
    deliveryMinimum: cents(0),
  },
  expiresOn: '2026-12-27' as Day,
};

export const supplementWithdrawnA: SupplementWithdrawn = { type: 'SupplementWithdrawn', supplementId: supplementA };

export const differenceWaivedA: DifferenceWaived = {
  type: 'DifferenceWaived',
  amount: cents(3_120),
  reason: 'Goodwill',
};

export const orderReadyA: OrderReady = { type: 'OrderReady' };

export const handedOverA: OrderHandedOver = { type: 'OrderHandedOver' };

export const readyUndoneA: StepUndone = { type: 'StepUndone', step: 'ready' };

export const contactErasedA: ContactErased = { type: 'ContactErased', erasedBy: 'admin' };

const noCharges = { base: cents(0), delivery: cents(0), stainProtection: cents(0), greenPad: cents(0) };

/** The refund in Square's dashboard was for the second rug's Green Pad and its tax. */
export const splitCorrectedA: RefundSplitCorrected = {
  type: 'RefundSplitCorrected',
  correctedRefundId: externalRefundA.squareRefundId,
  amount: externalRefundA.amount,
  why: 'Made in the dashboard of Square',
  before: externalRefundA.allocation,
  items: [{ rugIndex: 1, amount: cents(1000) }],
  deliveryMinimum: cents(0),
  allocation: {
    rugs: [{ rugIndex: 1, charges: { ...noCharges, greenPad: cents(910), salesTax: cents(90) } }],
    deliveryMinimum: cents(0),
  },
  split: { services: cents(0), addOns: cents(910), delivery: cents(0), deliveryMinimum: cents(0), salesTax: cents(90) },
  by: 'ada',
};
