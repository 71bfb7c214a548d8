import type { QuotedRug } from '@kilim/bff/contract/quote';
import { tierOffers } from '@kilim/domain/catalog';
import { type Cents, formatDollars, noCents, sumCents } from '@kilim/domain/money';
import { areaOf, formatSize, formatSquareFeet, priceOfArea, type SquareInches, side } from '@kilim/domain/rug';
import type { SummaryLine } from '../ui/summary-list.tsx';
import { pricedOrderTexts as texts } from './texts.ts';

export type RugLines = {
  readonly title: string;
  readonly size: string;
  readonly area: string;
  readonly lines: readonly SummaryLine[];
};

export function rugLines(rug: QuotedRug, index: number): RugLines {
  const width = side(rug.widthFeet, rug.widthInches);
  const length = side(rug.lengthFeet, rug.lengthInches);
  const area = areaOf({ width, length });
  const lines: SummaryLine[] = [{ term: texts.baseCost, amount: rug.baseCost, note: baseNote(rug, area) }];
  if (rug.stainProtection && rug.serviceTier !== 'premium') {
    lines.push({ term: texts.stainProtection, amount: rug.stainProtectionCost });
  }
  if (rug.mothProtection) lines.push({ term: texts.greenPad, amount: rug.mothProtectionCost });
  if (rug.repairInspection) {
    lines.push({ term: texts.repairInspection, amount: noCents, note: texts.repairInspectionNote });
  }
  return {
    title: texts.rug(index + 1),
    size: formatSize({ width, length }),
    area: texts.area(formatSquareFeet(area)),
    lines,
  };
}

/** Area times price, the tier's minimum charge, or the part that a supplement adds. */
function baseNote(rug: QuotedRug, area: SquareInches): string {
  const price = rug.pricePerSqft;
  const ofArea = priceOfArea(area, price);
  if (rug.baseCost < ofArea) return texts.supplement;
  const note =
    rug.baseCost > ofArea
      ? texts.minimumCharge(tierOffers[rug.serviceTier].name)
      : texts.rate(formatSquareFeet(area), formatDollars(price));
  return rug.serviceTier === 'premium' ? `${note}. ${texts.stainIncluded}` : note;
}

export type OrderAmounts = {
  readonly isPickup: boolean;
  /** Includes the top-up to the minimum, as in the API. */
  readonly deliveryCost: Cents;
  readonly salesTax: Cents;
  readonly salesTaxName: string;
  readonly total: Cents;
};

/** The top-up is the part of `deliveryCost` above the rugs' shares. */
export function orderLines(rugs: readonly QuotedRug[], amounts: OrderAmounts): readonly SummaryLine[] {
  const lines: SummaryLine[] = [];
  if (amounts.isPickup) {
    const delivery = sumCents(rugs.map((rug) => rug.deliveryCost));
    lines.push({ term: texts.delivery, amount: delivery });
    if (amounts.deliveryCost > delivery) {
      const topUp = sumCents([amounts.deliveryCost, -delivery as Cents]);
      // An order that is topped up costs the minimum.
      lines.push({ term: texts.deliveryMinimum, amount: topUp, note: texts.deliveryMinimumNote(amounts.total) });
    }
  }
  if (amounts.salesTax > 0) lines.push({ term: amounts.salesTaxName, amount: amounts.salesTax });
  return lines;
}
