import { expect, test } from 'vitest';
import { createLogger } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { observed } from './observed.ts';

const answers = {
  complete: async (id: string) => ({ kind: id === 'sq-1' ? ('completed' as const) : ('unknown' as const) }),
  warmUp: async () => undefined,
  break: async (): Promise<never> => {
    throw new TypeError('a bug');
  },
};

async function countsOf(metrics: ReturnType<typeof createMetrics>) {
  const { values } = await metrics.squareCalls.get();
  return values
    .filter(({ metricName }) => metricName === 'kilim_square_call_seconds_count')
    .map(({ labels, value }) => `${labels.verb} ${labels.outcome} ${value}`);
}

test('observed calls return the same outcomes, and are counted by call and outcome', async () => {
  const metrics = createMetrics();
  const card = observed(answers, { metrics, log: createLogger({ level: 'silent' }) });
  expect(await card.complete('sq-1')).toEqual({ kind: 'completed' });
  expect(await card.complete('sq-1')).toEqual({ kind: 'completed' });
  expect(await card.complete('sq-2')).toEqual({ kind: 'unknown' });
  expect(await card.warmUp()).toBeUndefined();
  await expect(card.break()).rejects.toThrow('a bug');
  expect(await countsOf(metrics)).toEqual([
    'complete completed 2',
    'complete unknown 1',
    'warmUp done 1',
    'break thrown 1',
  ]);
});

test('while Square rejects the access token, the gauge is 1 and one fatal line a minute is logged', async () => {
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => void lines.push(line) } });
  const unknown = { kind: 'unknown' as const, detail: 'lost' };
  const card = observed(
    {
      authorize: async () => ({ kind: 'unavailable' as const }),
      get: async () => ({ ...unknown, refusedCredentials: 'UNAUTHORIZED' }),
      lost: async () => unknown,
      complete: async () => ({ kind: 'completed' as const }),
    },
    { metrics, log },
  );
  const gauge = async () => (await metrics.squareRefused.get()).values[0]?.value;
  await card.authorize();
  await card.get();
  await card.lost();
  expect(await gauge()).toBe(1);
  expect(lines.filter((line) => line.includes('"fatal"'))).toHaveLength(1);
  await card.complete();
  expect(await gauge()).toBe(0);
});

test('a right that is missing for reading refuses no payment, and one for payments does until money moves', async () => {
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => void lines.push(line) } });
  const lacking = {
    kind: 'unknown' as const,
    refusedCredentials: 'INSUFFICIENT_SCOPES',
    isMissingRight: true as const,
  };
  const card = observed(
    {
      listDisputes: async () => lacking,
      listPayments: async () => ({ kind: 'listed' as const }),
      refund: async () => lacking,
      complete: async () => ({ kind: 'completed' as const }),
    },
    { metrics, log },
  );
  const gauge = async () => (await metrics.squareRefused.get()).values[0]?.value;
  await card.listDisputes();
  expect([await gauge(), lines]).toEqual([0, []]);
  await card.refund();
  await card.listPayments();
  await card.listDisputes();
  expect(await gauge()).toBe(1);
  expect(lines.filter((line) => line.includes('"fatal"'))).toHaveLength(1);
  await card.complete();
  expect(await gauge()).toBe(0);
});
