import { expect, test } from 'vitest';
import { runCampaign } from './chaos.ts';

// To run a longer campaign with another seed: npm run chaos -- --runs 200

const runs = 20;

// Two campaigns run at the same time, each with its own Square, database and servers.
test.concurrent.each([1000, 3000])(
  'no disaster causes a double charge, a lost payment, a stuck order or a leak of personal data (seed %i)',
  async (seed) => {
    const { failures, leaks, stuck, doubleCharges, orders } = await runCampaign({ runs, seed, say: () => undefined });
    expect({ failures, leaks, stuck, doubleCharges }).toEqual({ failures: [], leaks: [], stuck: 0, doubleCharges: 0 });
    expect(orders).toBeGreaterThan(runs);
  },
  600_000,
);
