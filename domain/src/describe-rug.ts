import { tierOffers } from './catalog.ts';
import { formatSize, type Rug, type RugAddOn } from './rug.ts';

export const addOnNames: Readonly<Record<RugAddOn, string>> = {
  stainProtection: 'Stain protection',
  greenPad: 'Green Pad',
  repairInspection: 'Repair inspection',
};

/** `8 × 10 ft, Economy, Green Pad` */
export function describeRug(rug: Rug): string {
  const chosen = (['greenPad', 'repairInspection'] as const).filter((addOn) => rug[addOn]);
  const isProtected = rug.stainProtection && rug.tier !== 'premium';
  return [
    formatSize(rug),
    tierOffers[rug.tier].name,
    ...(isProtected ? [addOnNames.stainProtection] : []),
    ...chosen.map((addOn) => addOnNames[addOn]),
  ].join(', ');
}
