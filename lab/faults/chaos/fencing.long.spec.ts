import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { patience, until } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import type { ChaosServer } from './chaos-server.ts';
import { ask, payment, payPatiently, quotedBy } from './customer.ts';
import { openStage, type Stage } from './stage.ts';

// A server stops, or a clock steps, while a payment is in flight. Another server may end the attempt; the first one
// must then not take money for it.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
/** Starts the attempt. */
let first: ChaosServer;
let second: ChaosServer;

/** A busy machine must not look like a Square that does not answer. */
const patient = { squareTimeoutSeconds: 10 };

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  second = await stage.start(patient);
});
beforeEach(async () => {
  // Without background work, so only the second one takes attempts over.
  if (first === undefined || !first.isAlive()) first = await stage.start({ ...patient, hurry: 0 });
});
afterEach(async () => {
  await stage.stepDatabaseClock(0);
  await Promise.all(stage.servers().map((server) => server.disarm()));
  expect(await stage.settled()).toEqual([]);
});
afterAll(() => stage.close());

async function livePaymentsOf(orderId: string): Promise<number> {
  const live = new Set(['COMPLETED', 'APPROVED', 'PENDING']);
  const payments = await stage.square.payments();
  return payments.filter(({ payment: { reference_id, status } }) => reference_id === orderId && live.has(status))
    .length;
}

/** Leases are not shortened here. */
async function endOf(key: string, withinMs: number) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const attempt = await ask(stage, key);
    if (attempt !== 'not-found' && attempt !== undefined && attempt.status !== 'pending') return attempt.status;
    if (Date.now() > deadline) return 'pending';
    await setTimeout(50);
  }
}

test('a server takes no money for an attempt that another server gives up at the same time', async () => {
  const quote = await quotedBy(second);
  await first.arm('before authorize', 'hold');
  const request = payment(quote, 'ok');
  const answering = payPatiently(stage, first, request);
  await first.reached('before authorize');

  // It finds no hold, cancels by the key, and lists the payments again.
  await second.arm('after cancelByIdempotencyKey', 'hold');
  const expiring = setInterval(() => void stage.expireLeases().catch(() => undefined), 100);
  await second.reached('after cancelByIdempotencyKey').finally(() => clearInterval(expiring));
  await second.arm('after listForOrder', 'hold');
  await second.release();
  await second.reached('after listForOrder');

  // Only now, after the second server has seen no payment, does the first one authorise.
  await first.arm('before complete', 'hold');
  await first.release();
  await Promise.race([first.reached('before complete').catch(() => undefined), answering]);
  await second.release();
  await expect.poll(() => endOf(request.idempotencyKey, 0), patience).not.toBe('pending');
  await first.release();
  const answered = await answering;

  const paysAgain = answered?.status !== 200 && (await endOf(request.idempotencyKey, patience.timeout)) === 'voided';
  if (paysAgain) expect((await payPatiently(stage, second, payment(quote, 'ok')))?.status).toBe(200);
  expect(await livePaymentsOf(quote.orderId)).toBe(1);
  expect(await stage.settled()).toEqual([]);
});

async function isReady({ url }: ChaosServer): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).ok;
}

/** `KILIM_CLOCK_STEPS=10` repeats the test, with twenty attempts each time. */
const clockSteps = Number(process.env['KILIM_CLOCK_STEPS'] ?? 1);
const buyers = 20;

test(
  "a slow server keeps its attempts although the database's clock steps forward",
  async () => {
    for (let step = 1; step <= clockSteps; step += 1) {
      await first.arm('before authorize', 'hold', buyers);
      const reached = Array.from({ length: buyers }, () => first.reached('before authorize'));
      const quotes = await Promise.all(reached.map(() => quotedBy(second)));
      const answering = quotes.map((quote) => payPatiently(stage, first, payment(quote, 'ok')));
      await Promise.all(reached);
      await stage.stepDatabaseClock(40 * step);
      await setTimeout(8000);
      // Until the clock is right again, nothing is recorded.
      await stage.stepDatabaseClock(0);
      await until('both servers are ready', async () =>
        (await Promise.all([first, second].map(isReady))).every(Boolean),
      );
      await first.release();
      const answered = await Promise.all(answering);
      expect(answered.map((answer) => answer?.status)).toEqual(quotes.map(() => 200));
    }
  },
  30_000 + clockSteps * 20_000,
);

test("a dead server's attempt is taken over soon after a wrong clock of the database is right again", {
  timeout: 120_000,
}, async () => {
  await first.arm('before authorize', 'die');
  const request = payment(await quotedBy(second), 'ok');
  await payPatiently(stage, first, request);
  await stage.stepDatabaseClock(-3600);
  await until('the server appends nothing', async () => !(await isReady(second)));
  expect(await endOf(request.idempotencyKey, 0)).toBe('pending');
  await stage.stepDatabaseClock(0);
  expect(await endOf(request.idempotencyKey, patience.timeout)).toBe('voided');
});
