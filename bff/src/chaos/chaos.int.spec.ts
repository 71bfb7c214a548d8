import { expect, test } from 'vitest';
import { runCampaign } from './chaos.ts';

// The same by hand, for longer and with another seed: npm run chaos -- --runs 200

const runs = 50;

test('whatever goes wrong, nobody is charged twice, nothing is lost, nobody is stuck, and nothing personal is written down', async () => {
  const { failures, leaks, stuck, doubleCharges, orders } = await runCampaign({
    runs,
    seed: 1000,
    say: () => undefined,
  });
  expect({ failures, leaks, stuck, doubleCharges }).toEqual({ failures: [], leaks: [], stuck: 0, doubleCharges: 0 });
  expect(orders).toBeGreaterThan(runs);
}, 600_000);
