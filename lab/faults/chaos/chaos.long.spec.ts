import { expect, test } from 'vitest';
import { isHostile } from '../../testing/only-ours.ts';
import { runCampaign } from './chaos.ts';
import { planOf } from './plan.ts';

// A longer campaign with another seed: npm run chaos -- --runs 200

/** Short with a hostile Square: npm run chaos has more. */
const runs = isHostile ? 1 : 4;
/** The campaigns have every setting. */
const seeds = [1018, 1078];

test.skipIf(isHostile)('the campaigns have every setting', () => {
  const plans = seeds.flatMap((seed) => Array.from({ length: runs }, (_, after) => planOf(seed + after)));
  expect(new Set(plans.map(({ setting }) => setting))).toEqual(
    new Set(['plain', 'pooler', 'standby', 'previous release']),
  );
});

// Each has its own Square, database and servers.
test.concurrent.each(seeds)(
  'no disaster causes a double charge, a lost payment, a stuck order or a leak of personal data (seed %i)',
  async (seed) => {
    // Other specs use the machine at the same time.
    const campaign = { runs, seed, say: () => undefined, paidWithinSeconds: 20 };
    const { failures, leaks, stuck, doubleCharges, orders } = await runCampaign(campaign);
    expect({ failures, leaks, stuck, doubleCharges }).toEqual({ failures: [], leaks: [], stuck: 0, doubleCharges: 0 });
    expect(orders).toBeGreaterThan(runs);
  },
  600_000,
);
