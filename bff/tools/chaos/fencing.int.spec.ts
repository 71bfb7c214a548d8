import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/postgres.ts';
import type { ChaosServer } from './chaos-server.ts';
import { ask, pay, payment, quotedBy } from './customer.ts';
import { openStage, type Stage } from './stage.ts';

// A server that stops for a while, or a clock that steps, while a payment is on its way: another server may end the attempt in that time, and
// the one that comes back must not take money for it.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
/** The one that starts the attempt. */
let first: ChaosServer;
let second: ChaosServer;

/** A busy machine is not what is tested here. */
const patient = { squareTimeoutSeconds: 10 };

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  second = await stage.start(patient);
});
beforeEach(async () => {
  // It does no background work: only the second server may take an attempt over.
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

/** How an attempt ended, without any help: leases end when they end. */
async function endOf(key: string, withinMs: number) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const attempt = await ask(stage, key);
    if (attempt !== 'unheard' && attempt !== undefined && attempt.status !== 'pending') return attempt.status;
    if (Date.now() > deadline) return 'pending';
    await setTimeout(50);
  }
}

test('a server that authorises while another one gives the attempt up takes no money for it', async () => {
  const quote = await quotedBy(second);
  await first.arm('before authorize', 'hold');
  const request = payment(quote, 'ok');
  const answering = pay(stage, first, request);
  await first.reached('before authorize');

  // The second server finds no hold, cancels by the key, and looks once more.
  await second.arm('after cancelByIdempotencyKey', 'hold');
  const expiring = setInterval(() => void stage.expireLeases().catch(() => undefined), 100);
  await second.reached('after cancelByIdempotencyKey').finally(() => clearInterval(expiring));
  await second.arm('after listForOrder', 'hold');
  await second.release();
  await second.reached('after listForOrder');

  // Its look has shown nothing. Now the first one authorises after all.
  await first.arm('before complete', 'hold');
  await first.release();
  await Promise.race([first.reached('before complete').catch(() => undefined), answering]);
  await second.release();
  await expect.poll(() => endOf(request.idempotencyKey, 0), { timeout: 10_000 }).not.toBe('pending');
  await first.release();
  const answered = await answering;

  const paysAgain = answered?.status !== 200 && (await endOf(request.idempotencyKey, 10_000)) === 'voided';
  if (paysAgain) expect((await pay(stage, second, payment(quote, 'ok')))?.status).toBe(200);
  expect(await livePaymentsOf(quote.orderId)).toBe(1);
  expect(await stage.settled()).toEqual([]);
});

/** `KILIM_CLOCK_STEPS=10` repeats it so many times, with twenty attempts each time. */
const clockSteps = Number(process.env['KILIM_CLOCK_STEPS'] ?? 1);
const buyers = 20;

test(
  "attempts stay with a server that is slow, though the database's clock steps forward",
  async () => {
    for (let step = 1; step <= clockSteps; step += 1) {
      await first.arm('before authorize', 'hold', buyers);
      const reached = Array.from({ length: buyers }, () => first.reached('before authorize'));
      const quotes = await Promise.all(reached.map(() => quotedBy(second)));
      const answering = quotes.map((quote) => pay(stage, first, payment(quote, 'ok')));
      await Promise.all(reached);
      await stage.stepDatabaseClock(40 * step);
      await setTimeout(8000);
      await first.release();
      const answered = await Promise.all(answering);
      expect(answered.map((answer) => answer?.status)).toEqual(quotes.map(() => 200));
    }
  },
  30_000 + clockSteps * 20_000,
);

test("an attempt whose server died is taken over within 15 s, though the database's clock steps an hour back", async () => {
  await first.arm('before authorize', 'die');
  const request = payment(await quotedBy(second), 'ok');
  await pay(stage, first, request);
  await stage.stepDatabaseClock(-3600);
  const died = performance.now();
  expect(await endOf(request.idempotencyKey, 20_000)).toBe('voided');
  expect(performance.now() - died).toBeLessThan(15_000);
});
