import { type Tier, tiers } from '@kilim/domain/catalog';

/** The two tiers that a narrow screen shows side by side. They always differ. */
export type TierPair = readonly [first: Tier, second: Tier];

/** The rug's tier and the next better one, or the second best if the rug has the best tier. */
export function startingPair(current: Tier): TierPair {
  const place = tiers.indexOf(current);
  return [current, tiers[place - 1] ?? tiers[place + 1] ?? current];
}

/** Picking the tier of the other place swaps the two. */
export function pickTier([first, second]: TierPair, place: 'first' | 'second', tier: Tier): TierPair {
  if (place === 'first') return [tier, tier === second ? first : second];
  return [tier === first ? second : first, tier];
}
