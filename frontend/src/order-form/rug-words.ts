import { tierOffers } from '@kilim/domain/catalog';
import { formatSize, type Rug } from '@kilim/domain/rug';
import { orderFormTexts } from './texts.ts';

/** `8 × 10 ft, Economy, Green Pad` */
export function describeRug(rug: Rug): string {
  const { addOnNames } = orderFormTexts;
  const chosen = (['greenPad', 'repairInspection'] as const).filter((addOn) => rug[addOn]);
  const isProtected = rug.stainProtection && rug.tier !== 'premium';
  return [
    formatSize(rug),
    tierOffers[rug.tier].name,
    ...(isProtected ? [addOnNames.stainProtection] : []),
    ...chosen.map((addOn) => addOnNames[addOn]),
  ].join(', ');
}
