import { centsOf } from '../../shared/dollars.ts';
import type { OrderDetail, RugChargesAnswer } from '../api/wire.ts';
import type { Refundable } from './refund-form.ts';

/** What the server says is left to refund of an order. */
export function refundableOf({ order, items }: OrderDetail): Refundable {
  return {
    total: centsOf(order.totalCost),
    remaining: centsOf(order.remainingRefundable),
    charges: {
      rugs: items.map(({ refundableCharges }) => chargesOf(refundableCharges)),
      deliveryMinimum: centsOf(order.refundableDeliveryMinimum),
    },
  };
}

function chargesOf(charges: RugChargesAnswer) {
  return {
    base: centsOf(charges.baseCost),
    delivery: centsOf(charges.deliveryCost),
    stainProtection: centsOf(charges.stainProtectionCost),
    greenPad: centsOf(charges.mothProtectionCost),
    salesTax: centsOf(charges.salesTax),
  };
}
