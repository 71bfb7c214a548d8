import { type Cents, shareByLargestRemainder } from '@kilim/domain/money';
import {
  afterwards,
  allocate,
  type ChosenLines,
  type OrderCharges,
  rugTotal,
  splitOf,
} from '@kilim/domain/order/refund-allocation';
import type { RugCharges } from '@kilim/domain/quote';
import { centsOf } from '../../shared/dollars.ts';
import type { AdminOrderItem, AdminRefund, OrderDetail } from '../api/wire.ts';
import type { Refundable } from './refund-form.ts';

type Charged = Pick<
  AdminOrderItem,
  'baseCost' | 'deliveryCost' | 'stainProtectionCost' | 'mothProtectionCost' | 'salesTax' | 'refundable'
>;
type Given = Pick<AdminRefund, 'status' | 'amount' | 'rugItems' | 'deliveryMinimum'>;

/** What of an order says how much of it can still be given back. */
export type RefundedOrder = {
  readonly order: Pick<
    OrderDetail['order'],
    'totalCost' | 'remainingRefundable' | 'deliveryMinimum' | 'refundableDeliveryMinimum'
  >;
  readonly items: readonly Charged[];
  /** Newest first. */
  readonly refunds: readonly Given[];
};

export function refundableOf({ order, items }: RefundedOrder): Refundable {
  return {
    total: centsOf(order.totalCost),
    remaining: centsOf(order.remainingRefundable),
    rugs: items.map(({ refundable }) => centsOf(refundable)),
    deliveryMinimum: centsOf(order.refundableDeliveryMinimum),
  };
}

/** What is left of each charge: the order's own, less what every refund that did not fail has taken, in their order. */
export function chargesLeft({ order, items, refunds }: RefundedOrder): OrderCharges {
  const charged = { rugs: items.map(chargesOf), deliveryMinimum: centsOf(order.deliveryMinimum) };
  const counted = refunds.filter(({ status }) => status !== 'failed').toReversed();
  try {
    const left = counted.reduce(withoutRefund, charged);
    const isAsSaid = left.rugs.every((rug, index) => rugTotal(rug) === centsOf(items[index]?.refundable ?? 0));
    if (isAsSaid) return left;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  // A refund that failed in between, or one made at Square, took its shares otherwise: the server's figure per rug is right.
  return {
    rugs: items.map((item) => scaled(chargesOf(item), centsOf(item.refundable))),
    deliveryMinimum: centsOf(order.refundableDeliveryMinimum),
  };
}

function withoutRefund(left: OrderCharges, { amount, rugItems, deliveryMinimum }: Given): OrderCharges {
  const rugs = rugItems.map((item) => ({ rugIndex: item.rugIndex, amount: centsOf(item.amount) }));
  return afterwards(left, allocate(left, centsOf(amount), { rugs, deliveryMinimum: centsOf(deliveryMinimum) }));
}

function chargesOf(item: Charged): RugCharges {
  return {
    base: centsOf(item.baseCost),
    delivery: centsOf(item.deliveryCost),
    stainProtection: centsOf(item.stainProtectionCost),
    greenPad: centsOf(item.mothProtectionCost),
    salesTax: centsOf(item.salesTax),
  };
}

const names = ['base', 'delivery', 'stainProtection', 'greenPad', 'salesTax'] as const;

function scaled(charges: RugCharges, left: Cents): RugCharges {
  const weights = names.map((name) => charges[name]);
  const shares = shareByLargestRemainder(left, weights);
  return Object.fromEntries(names.map((name, index) => [name, shares[index]])) as RugCharges;
}

/** What a refund would be made of; undefined while it asks for more than there is. */
export function splitPreview(left: OrderCharges, amount: Cents, chosen: ChosenLines) {
  try {
    return splitOf(allocate(left, amount, chosen));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
