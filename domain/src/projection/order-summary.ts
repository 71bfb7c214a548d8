import type { DeliveryOption } from '../catalog.ts';
import { type Cents, cents, noCents } from '../money.ts';
import type { DisputeOutcome, IntakeStep, OrderEvent, PickupAgreed } from '../order/events.ts';
import type { OrderId, PaymentId } from '../order/ids.ts';
import { unreachable } from '../unreachable.ts';

/** The state of the latest attempt. */
export const orderPaymentStatuses = ['unpaid', 'processing', 'paid', 'declined', 'voided'] as const;
export type OrderPaymentStatus = (typeof orderPaymentStatuses)[number];

/** After `accepted` the customer keeps the money, as after `lost`. */
export type DisputeStatus = 'none' | 'open' | DisputeOutcome;

export const refundStandings = ['none', 'pending', 'partial', 'full'] as const;
export type RefundStanding = (typeof refundStandings)[number];

/** `failed`: a refund failed, and nobody made it good since. */
export const refundFilters = [...refundStandings, 'failed'] as const;
export type RefundFilter = (typeof refundFilters)[number];

/** Where the rugs are. */
export const orderStages = ['waiting', 'received', 'ready', 'handed-over'] as const;
export type OrderStage = (typeof orderStages)[number];

export type AgreedPickup = Pick<PickupAgreed, 'day' | 'window'>;

/** The columns of the list of orders, and the amounts that limit refunds; derived from the stream alone. */
export type OrderSummary = {
  readonly orderId: OrderId;
  /** Of the last event in this row. */
  readonly version: number;
  readonly paymentId: PaymentId | undefined;
  readonly squarePaymentId: string | undefined;
  readonly paymentStatus: OrderPaymentStatus;
  readonly deliveryOption: DeliveryOption;
  readonly rugCount: number;
  readonly total: Cents;
  readonly captured: Cents;
  /** Promised money is no longer refundable. */
  readonly refundPending: Cents;
  readonly refunded: Cents;
  readonly fees: Cents;
  readonly disputeStatus: DisputeStatus;
  /** What the shop and the customer agreed on last. */
  readonly pickup: AgreedPickup | undefined;
  readonly stage: OrderStage;
  /** The order of which this one pays a difference. */
  readonly supplementOf: OrderId | undefined;
  /** The last one that the customer was asked to pay and that was not withdrawn. */
  readonly supplementId: OrderId | undefined;
  readonly placedAt: string;
  readonly paidAt: string | undefined;
  readonly updatedAt: string;
};

type RefundAmounts = Pick<OrderSummary, 'captured' | 'refundPending' | 'refunded'>;

export function refundableOf({ captured, refundPending, refunded }: RefundAmounts): Cents {
  return cents(captured - refundPending - refunded);
}

/** A pending refund hides earlier ones, as in `ledger.refund_status`. */
export function refundStanding({ captured, refundPending, refunded }: RefundAmounts): RefundStanding {
  if (refundPending > 0) return 'pending';
  if (refunded === 0) return 'none';
  return refunded === captured ? 'full' : 'partial';
}

export type StreamEvent = {
  readonly event: OrderEvent;
  readonly version: number;
  readonly occurredAt: string;
};

/** Pure, so a rebuild makes the same rows as the appends. */
export function project(row: OrderSummary | undefined, { event, version, occurredAt }: StreamEvent): OrderSummary {
  if (event.type === 'OrderPlaced') {
    return {
      orderId: event.orderId,
      version,
      paymentId: undefined,
      squarePaymentId: undefined,
      paymentStatus: 'unpaid',
      deliveryOption: event.deliveryOption,
      rugCount: event.rugs.length,
      total: event.total,
      captured: noCents,
      refundPending: noCents,
      refunded: noCents,
      fees: noCents,
      disputeStatus: 'none',
      pickup: undefined,
      stage: 'waiting',
      supplementOf: event.supplementOf,
      supplementId: undefined,
      placedAt: occurredAt,
      paidAt: undefined,
      updatedAt: occurredAt,
    };
  }
  if (row === undefined) throw new Error(`The stream begins with ${event.type}, before any OrderPlaced`);
  return { ...row, ...changeOf(row, event, occurredAt), version, updatedAt: occurredAt };
}

function changeOf(
  row: OrderSummary,
  event: Exclude<OrderEvent, { type: 'OrderPlaced' }>,
  occurredAt: string,
): Partial<OrderSummary> {
  switch (event.type) {
    case 'PaymentStarted':
      return { paymentId: event.paymentId, squarePaymentId: undefined, paymentStatus: 'processing' };
    case 'PaymentAuthorized':
      return { squarePaymentId: event.squarePaymentId };
    case 'PaymentCaptured':
      return { paymentStatus: 'paid', captured: event.amount, paidAt: occurredAt };
    case 'CustomerPaid':
      return { paymentId: event.paymentId, paymentStatus: 'paid', captured: event.amount, paidAt: occurredAt };
    case 'PaymentDeclined':
      return { paymentStatus: 'declined' };
    case 'PaymentVoided':
      return { paymentStatus: 'voided' };
    case 'ProcessingFeeAssessed':
      return { fees: cents(row.fees + event.amount) };
    case 'RefundRequested':
      return { refundPending: cents(row.refundPending + event.amount) };
    case 'RefundCompleted':
      return {
        refundPending: cents(row.refundPending - event.amount),
        refunded: cents(row.refunded + event.amount),
      };
    case 'RefundFailed':
      return { refundPending: cents(row.refundPending - event.amount) };
    case 'ExternalRefundRecorded':
    case 'CustomerReimbursed':
      return { refunded: cents(row.refunded + event.amount) };
    case 'DisputeOpened':
      return { disputeStatus: 'open' };
    case 'DisputeClosed':
      return { disputeStatus: event.outcome };
    case 'PickupAgreed':
      return { pickup: { day: event.day, window: event.window } };
    case 'RugsReceived':
      return { stage: row.stage === 'waiting' ? 'received' : row.stage };
    case 'OrderReady':
      return { stage: 'ready' };
    case 'OrderHandedOver':
      return { stage: 'handed-over' };
    case 'StepUndone':
      return { stage: stageBefore[event.step] ?? row.stage };
    case 'SupplementRequested':
      return { supplementId: event.supplementId };
    case 'SupplementWithdrawn':
      return { supplementId: undefined };
    // The constraint `order_summary_never_more_out_than_in` compares the refunded amount, which is without the excess,
    // with the captured one.
    case 'ExcessRefundFound':
    case 'DifferenceWaived':
    case 'RefundSplitCorrected':
    case 'RefundSubmitted':
    case 'OrphanPaymentFound':
    case 'OrphanPaymentReturned':
    case 'ContactErased':
      return {};
    default:
      return unreachable(event);
  }
}

const stageBefore: Readonly<Partial<Record<IntakeStep, OrderStage>>> = {
  received: 'waiting',
  ready: 'received',
  'handed-over': 'ready',
};
