import { type Tier, tiers } from '@kilim/domain/catalog';

/** They always differ. */
export type TierPair = readonly [first: Tier, second: Tier];

/** The rug's tier and the next better one, or the two best. */
export function startingPair(current: Tier): TierPair {
  const place = tiers.indexOf(current);
  return [current, tiers[place - 1] ?? tiers[place + 1] ?? current];
}

/** Picking the other place's tier swaps the two. */
export function pickTier([first, second]: TierPair, place: 'first' | 'second', tier: Tier): TierPair {
  if (place === 'first') return [tier, tier === second ? first : second];
  return [tier === first ? second : first, tier];
}
