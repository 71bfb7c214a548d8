import { type Tier, tiers } from '../catalog.ts';
import { type Cents, cents, noCents } from '../money.ts';
import type { OrderPlaced, RefundAllocation } from '../order/events.ts';
import { areaOf } from '../rug.ts';

/** Without sales tax. */
export const soldItems = [...tiers, 'stainProtection', 'greenPad', 'delivery', 'deliveryMinimum'] as const;
export type SoldItem = (typeof soldItems)[number];

export type SalesFigures = {
  /** None for the delivery minimum, which belongs to an order. */
  readonly rugs: number;
  /** In square inches. */
  readonly area: number;
  readonly sales: Cents;
  readonly refunds: Cents;
};

export const noSales: SalesFigures = { rugs: 0, area: 0, sales: noCents, refunds: noCents };

/** Adds up paid orders and completed refunds. */
export function createSalesReport() {
  const figures = new Map<SoldItem, SalesFigures>();
  const add = (item: SoldItem, change: SalesFigures) => {
    const { rugs, area, sales, refunds } = figures.get(item) ?? noSales;
    figures.set(item, {
      rugs: rugs + change.rugs,
      area: area + change.area,
      sales: cents(sales + change.sales),
      refunds: cents(refunds + change.refunds),
    });
  };
  return {
    /** A supplement has rugs that were counted with their order. */
    sell: ({ rugs, lines, supplementOf }: Pick<OrderPlaced, 'rugs' | 'lines' | 'supplementOf'>): void => {
      const isNew = supplementOf === undefined;
      for (const rug of rugs) {
        const area = isNew ? areaOf(rug) : 0;
        for (const [item, sales] of itemsOf(rug.tier, rug.charges)) {
          if (sales !== 0) add(item, { ...noSales, rugs: isNew ? 1 : 0, area, sales });
        }
      }
      add('deliveryMinimum', { ...noSales, sales: lines.deliveryMinimum });
    },
    /**
     * @param rugs give the tiers of refunded cleaning.
     * @param sign -1 takes a refund out again.
     */
    refund: (allocation: RefundAllocation, rugs: readonly { readonly tier: Tier }[], sign: 1 | -1 = 1): void => {
      const give = (item: SoldItem, refunded: Cents) => add(item, { ...noSales, refunds: cents(sign * refunded) });
      for (const { rugIndex, charges } of allocation.rugs) {
        const tier = rugs[rugIndex]?.tier;
        if (tier === undefined) throw new Error(`A refund names rug ${rugIndex}, which its order does not have`);
        for (const [item, refunded] of itemsOf(tier, charges)) give(item, refunded);
      }
      give('deliveryMinimum', allocation.deliveryMinimum);
    },
    of: (item: SoldItem): SalesFigures => figures.get(item) ?? noSales,
  };
}

function itemsOf(
  tier: Tier,
  { base, delivery, stainProtection, greenPad }: RefundAllocation['rugs'][number]['charges'],
): readonly (readonly [SoldItem, Cents])[] {
  return [
    [tier, base],
    ['stainProtection', stainProtection],
    ['greenPad', greenPad],
    ['delivery', delivery],
  ];
}
