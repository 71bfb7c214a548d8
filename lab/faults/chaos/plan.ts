import { type Random, seeded } from '../../seeded-random.ts';
import { anyDisaster, briefDisaster, type Disaster } from './disasters.ts';
import type { Setting } from './setting.ts';

/** One run, made from a seed alone. */
export type Plan = {
  readonly seed: number;
  /**
   * One fault, which ends within 5 s, with production's leases and intervals. Each buyer with a good card must be paid
   * soon after it.
   */
  readonly isTimed: boolean;
  /** The same for ten seeds, because each setting is opened once for all its runs. */
  readonly setting: Setting;
  readonly buyers: readonly BuyerPlan[];
  readonly disasters: readonly Disaster[];
};

export type BuyerPlan = {
  readonly startsAtMs: number;
  /** In the order in which they are tried; the last one is good. */
  readonly cards: readonly string[];
  /** As by a double click or in two tabs; each copy to another server. */
  readonly copies: number;
  readonly hangsUpAfterMs: number | undefined;
  /** All at the same time; in percent of the order. */
  readonly refunds: readonly RefundPlan[];
  /** Undefined: the rugs are not measured. */
  readonly measuring: MeasurePlan | undefined;
};

export type MeasurePlan = {
  /** Of one side of each rug. */
  readonly changedInches: number;
  readonly clicks: number;
  readonly phones: number;
  /** A clerk records that the customer paid in the shop, while the phones pay. */
  readonly paysInShop: boolean;
  /** To the ordered sizes, while the customer pays. */
  readonly measuresAgain: boolean;
};

export type RefundPlan = { readonly percent: number; readonly clicks: number };

export function planOf(seed: number): Plan {
  const random = seeded(seed);
  const isTimed = random.chance(1 / 3);
  const setting = settingOf(seed);
  const buyers = Array.from({ length: random.between(1, 4) }, () => buyer(random));
  if (isTimed) return { seed, isTimed, setting, buyers, disasters: [briefDisaster(random)] };
  const disasters = Array.from({ length: random.between(1, 4) }, () => anyDisaster(random));
  // With a standby each run has a failover.
  if (setting === 'standby') disasters.push({ kind: 'crash', atMs: random.between(50, 900) });
  return { seed, isTimed, setting, buyers, disasters };
}

function settingOf(seed: number): Setting {
  return seeded(Math.floor(seed / 10)).pick(['plain', 'plain', 'pooler', 'standby', 'previous release']);
}

export function hasGoodCard({ cards: [first] }: BuyerPlan): boolean {
  return goodCards.some((card) => card === first);
}

const goodCards = ['ok', 'ok', 'ok-mastercard', 'refund-rejected'] as const;

const cardsThatFail = [
  'declined',
  'insufficient',
  'token-expired',
  'answer-lost',
  'answer-cut',
  'request-lost',
] as const;
const moreCards = [
  'gateway-timeout',
  'square-down',
  'pending',
  'capture-answer-lost',
  'capture-down',
  'refund-fails',
] as const;

function buyer(random: Random): BuyerPlan {
  const first = random.chance(0.4) ? [random.pick([...cardsThatFail, ...moreCards])] : [];
  return {
    startsAtMs: random.whole(300),
    cards: [...first, random.pick(goodCards)],
    copies: random.pick([1, 1, 2, 3]),
    hangsUpAfterMs: random.chance(0.15) ? random.between(1, 200) : undefined,
    refunds: random.chance(0.6) ? Array.from({ length: random.between(1, 3) }, () => refund(random)) : [],
    measuring: random.chance(0.5) ? measuring(random) : undefined,
  };
}

function measuring(random: Random): MeasurePlan {
  return {
    changedInches: random.pick([-12, -3, 4, 12]),
    clicks: random.pick([1, 2]),
    phones: random.pick([1, 2]),
    paysInShop: random.chance(0.3),
    measuresAgain: random.chance(0.4),
  };
}

function refund(random: Random): RefundPlan {
  return { percent: random.pick([10, 30, 50, 70, 100]), clicks: random.pick([1, 1, 2]) };
}

export function describe({ setting, buyers, disasters }: Plan): readonly string[] {
  return [
    `setting ${setting}`,
    ...buyers.map((each) => `buyer ${JSON.stringify(each)}`),
    ...disasters.map((each) => JSON.stringify(each)),
  ];
}
