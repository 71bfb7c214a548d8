import type { IntakeStep, MeasuredSize, OrderEvent, OrderPlaced, SupplementRequested } from '../order/events.ts';
import type { OrderId } from '../order/ids.ts';
import { nothingPaid, type PaymentState, evolve as withPayment } from '../order/payment.ts';
import { nothingRefunded, type RefundState, refundableOf, evolve as withRefund } from '../order/refund.ts';
import { unreachable } from '../unreachable.ts';

export type Measurement = {
  /** Every measurement and every undone one counts, so a number is never used twice. */
  readonly number: number;
  readonly sizes: readonly MeasuredSize[];
};

export type Money = { readonly refunds: RefundState; readonly payments: PaymentState };

/** An order on its way through the shop. */
export type IntakeState = Money & {
  readonly placed: OrderPlaced | undefined;
  /** The last one holds. */
  readonly measurements: readonly Measurement[];
  readonly counted: number;
  /** The customer need not pay the difference of this measurement. */
  readonly waived: number | undefined;
  readonly request: SupplementRequested | undefined;
  readonly isReady: boolean;
  readonly isHandedOver: boolean;
};

/** An order and the orders that pay its differences. */
export type Family = { readonly order: IntakeState; readonly supplements: ReadonlyMap<OrderId, Money> };

export const noMoney: Money = { refunds: nothingRefunded, payments: nothingPaid };

export const notReceived: IntakeState = {
  ...noMoney,
  placed: undefined,
  measurements: [],
  counted: 0,
  waived: undefined,
  request: undefined,
  isReady: false,
  isHandedOver: false,
};

export function evolveMoney({ refunds, payments }: Money, event: OrderEvent): Money {
  return { refunds: withRefund(refunds, event), payments: withPayment(payments, event) };
}

export function evolve(before: IntakeState, event: OrderEvent): IntakeState {
  const state = { ...before, ...evolveMoney(before, event) };
  switch (event.type) {
    case 'OrderPlaced':
      return { ...state, placed: event };
    case 'RugsReceived': {
      const number = state.counted + 1;
      return { ...state, counted: number, measurements: [...state.measurements, { number, sizes: event.sizes }] };
    }
    case 'SupplementRequested':
      return { ...state, request: event };
    case 'SupplementWithdrawn':
      return { ...state, request: undefined };
    case 'DifferenceWaived':
      return { ...state, waived: state.measurements.at(-1)?.number };
    case 'OrderReady':
      return { ...state, isReady: true };
    case 'OrderHandedOver':
      return { ...state, isHandedOver: true };
    case 'StepUndone':
      return undone(state, event.step);
    default:
      return state;
  }
}

function undone(state: IntakeState, step: IntakeStep): IntakeState {
  switch (step) {
    case 'received':
      return { ...state, counted: state.counted + 1, measurements: [] };
    case 'waived':
      return { ...state, waived: undefined };
    case 'ready':
      return { ...state, isReady: false };
    case 'handed-over':
      return { ...state, isHandedOver: false };
    default:
      return unreachable(step);
  }
}

/** Everything that was paid went back, so nothing is asked for any more. */
export function isRefunded({ order, supplements }: Family): boolean {
  return [order, ...supplements.values()].every(({ refunds }) => refundableOf(refunds) === 0);
}

/** A request that the customer has not paid. */
export function openRequest(family: Family): SupplementRequested | undefined {
  const { order, supplements } = family;
  const request = isRefunded(family) ? undefined : order.request;
  const paid = request && supplements.get(request.supplementId)?.refunds.captured;
  return paid === undefined ? request : undefined;
}

export function isWaived({ measurements, waived }: IntakeState): boolean {
  return waived !== undefined && measurements.at(-1)?.number === waived;
}
