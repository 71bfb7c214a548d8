import { type Tier, tiers } from '@kilim/domain/catalog';

/** The two tiers that stand side by side on a narrow screen. They are never the same. */
export type TierPair = readonly [first: Tier, second: Tier];

/** The tier the rug has, and the next better one; below the best stands the next best. */
export function startingPair(current: Tier): TierPair {
  const place = tiers.indexOf(current);
  return [current, tiers[place - 1] ?? tiers[place + 1] ?? current];
}

/** Picking the tier of the other place exchanges the two. */
export function pickTier([first, second]: TierPair, place: 'first' | 'second', tier: Tier): TierPair {
  if (place === 'first') return [tier, tier === second ? first : second];
  return [tier === first ? second : first, tier];
}
