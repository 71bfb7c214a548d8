import type { OrderDetail, RugChargeCosts } from '@kilim/bff/contract/orders';
import type { RugCharges } from '@kilim/domain/quote';
import type { Refundable } from './refund-form.ts';

/** The refundable amounts of an order, from the server's answer. */
export function refundableOf({ order, items }: OrderDetail): Refundable {
  return {
    total: order.totalCost,
    remaining: order.remainingRefundable,
    paid: items.map(chargesOf),
    charges: {
      rugs: items.map(({ refundableCharges }) => chargesOf(refundableCharges)),
      deliveryMinimum: order.refundableDeliveryMinimum,
    },
  };
}

function chargesOf(costs: RugChargeCosts): RugCharges {
  return {
    base: costs.baseCost,
    delivery: costs.deliveryCost,
    stainProtection: costs.stainProtectionCost,
    greenPad: costs.mothProtectionCost,
    salesTax: costs.salesTax,
  };
}
