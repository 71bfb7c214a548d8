import type { OrderDetail, RugChargeCosts } from '@kilim/bff/contract/orders';
import { totalOf, withBack } from '@kilim/domain/order/refund-allocation';
import type { RugCharges } from '@kilim/domain/quote';
import type { Refundable } from './refund-form.ts';

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

/** As if the completed refund had not been made; undefined for other refunds. */
export function refundableWithout(detail: OrderDetail, refundId: string): Refundable | undefined {
  const given = detail.refundedCharges.find((each) => each.refundId === refundId);
  if (given === undefined) return undefined;
  const { charges, ...left } = refundableOf(detail);
  const rugs = given.rugs.map(({ rugIndex, charges: costs }) => ({ rugIndex, charges: chargesOf(costs) }));
  const all = withBack(charges, { rugs, deliveryMinimum: given.deliveryMinimum });
  return { ...left, remaining: totalOf(all), charges: all };
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
