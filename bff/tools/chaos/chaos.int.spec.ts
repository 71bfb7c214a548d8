import { expect, test } from 'vitest';
import { runCampaign } from './chaos.ts';

// The same by hand, for longer and with another seed: npm run chaos -- --runs 200

const runs = 20;

// Two campaigns at once, each with a Square, a database and servers of its own.
test.concurrent.each([1000, 3000])(
  'whatever goes wrong, nobody is charged twice, nothing is lost, nobody is stuck, and nothing personal is written down (seed %i)',
  async (seed) => {
    const { failures, leaks, stuck, doubleCharges, orders } = await runCampaign({ runs, seed, say: () => undefined });
    expect({ failures, leaks, stuck, doubleCharges }).toEqual({ failures: [], leaks: [], stuck: 0, doubleCharges: 0 });
    expect(orders).toBeGreaterThan(runs);
  },
  600_000,
);
