import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOfLost } from '../../testing/only-ours.ts';
import { patience } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { type ChaosServer, holdAtFirst, untilDead } from './chaos-server.ts';
import { outcomeOf, pay, payment, payPatiently, quotedBy } from './customer.ts';
import type { FaultPoint } from './points.ts';
import { openStage, type Stage } from './stage.ts';

// Between two steps of a payment a process dies, or a request or an answer is lost.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
/** `struck` meets the fault; `other` runs all the time. */
let struck: ChaosServer;
let other: ChaosServer;

/** A busy machine must not look like a Square that does not answer. */
const patient = { squareTimeoutSeconds: 10 };

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  other = await stage.start(patient);
});
beforeEach(async () => {
  if (struck === undefined || !struck.isAlive()) struck = await stage.start(patient);
});
afterEach(async () => {
  expect(await stage.settled()).toEqual([]);
});
afterAll(() => stage.close());

type Outcome = 'paid' | 'not charged';

/** Asks without a clear answer, and resends an unknown request. */
async function payThrough(server: ChaosServer, request: ReturnType<typeof payment>): Promise<Outcome> {
  const answered = await pay(stage, server, request);
  if (answered?.status === 200) return 'paid';
  if (answered?.status === 402) return 'not charged';
  const found = await outcomeOf(stage, request.idempotencyKey);
  if (found === 'not-found') return payThrough(server.isAlive() ? server : other, request);
  return found.status === 'captured' ? 'paid' : 'not charged';
}

/** An order that was not charged must be payable with another card. */
async function expectPaidOnce(quote: QuoteAnswer, outcome: Outcome): Promise<void> {
  if (outcome === 'not charged') expect(await payThrough(other, payment(quote, 'ok'))).toBe('paid');
  expect(await capturesOf(quote.orderId)).toBe(1);
}

async function capturesOf(orderId: string): Promise<number> {
  const rows = await ownerSql`
    select from ledger.event where stream_id = ${`order-${orderId}`} and type = 'PaymentCaptured'`;
  return rows.length;
}

/** A busy machine may need another try. */
const busyMs = 120_000;

const windows: readonly FaultPoint[] = [
  'before append PaymentStarted',
  'after append PaymentStarted',
  'before authorize',
  'after authorize',
  'before append PaymentAuthorized',
  'after append PaymentAuthorized',
  'before complete',
  'after complete',
  'before append PaymentCaptured',
  'after append PaymentCaptured',
];

test.each(windows)(
  'a process that dies %s charges once or not at all',
  async (point) => {
    await struck.arm(point, 'die');
    await untilDead(struck, async () => {
      const quote = await quotedBy(other);
      await expectPaidOnce(quote, await payThrough(struck, payment(quote, 'ok')));
    });
  },
  busyMs,
);

test.each(windows)('a call that is lost %s charges once or not at all', async (point) => {
  const quote = await quotedBy(other);
  await struck.arm(point, 'lose');
  await expectPaidOnce(quote, await payThrough(struck, payment(quote, 'ok')));
});

test.each(['before append PaymentDeclined', 'after append PaymentDeclined'] as const)(
  'a process that dies %s leaves an order that another card pays',
  async (point) => {
    await struck.arm(point, 'die');
    await untilDead(struck, async () => {
      const quote = await quotedBy(other);
      expect(await payThrough(struck, payment(quote, 'declined'))).toBe('not charged');
      await expectPaidOnce(quote, 'not charged');
    });
  },
  busyMs,
);

const appends = ['PaymentStarted', 'PaymentAuthorized', 'PaymentCaptured'] as const;

test.each(appends)('Square and the ledger agree after a database outage at %s', async (type) => {
  const quote = await quotedBy(other);
  const hold = await holdAtFirst([struck, other], `before append ${type}`);
  const paying = payThrough(struck, payment(quote, 'ok'));
  await hold.reached;
  stage.proxy.block();
  await hold.release();
  setTimeout(stage.proxy.restore, 1500);
  await expectPaidOnce(quote, await paying);
});

test('an answer that is lost twice is not reported as a failure and not charged twice', async () => {
  await struck.arm('after authorize', 'lose', 2);
  const request = payment(await quotedBy(other), 'ok');
  expect((await payPatiently(stage, struck, request))?.status).toBe(202);
  expect(await outcomeOf(stage, request.idempotencyKey)).toMatchObject({ status: expect.stringMatching(endOfLost) });
});

test('a hold that Square grants after its attempt was given up is released', async () => {
  const quote = await quotedBy(other);
  await struck.arm('before authorize', 'hold');
  // The answer with the late hold is lost too, so reconciliation has to find it.
  await struck.arm('after authorize', 'lose', 2);
  const request = payment(quote, 'ok');
  const paying = payPatiently(stage, struck, request);
  await struck.reached('before authorize');
  expect(await outcomeOf(stage, request.idempotencyKey)).toMatchObject({ status: 'voided' });
  expect(await payThrough(other, payment(quote, 'ok'))).toBe('paid');
  await struck.release();
  await paying;
  const late = (await stage.square.payments()).filter(
    ({ idempotencyKey }) => idempotencyKey === request.idempotencyKey,
  );
  expect(late.map(({ payment: { status } }) => status)).not.toContain('COMPLETED');
  expect(late).toHaveLength(1);
  expect(await capturesOf(quote.orderId)).toBe(1);
});

test('double clicks that reach two processes are one attempt, one charge and one answer', async () => {
  const quote = await quotedBy(other);
  const request = payment(quote, 'ok');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, click) => payPatiently(stage, click % 2 === 0 ? struck : other, request)),
  );
  expect(answers.every((answered) => answered?.status === 200 || answered?.status === 202)).toBe(true);
  expect(await outcomeOf(stage, request.idempotencyKey)).toMatchObject({ status: 'captured' });
  const again = await Promise.all([struck, other].map((server) => payPatiently(stage, server, request)));
  const paymentIds = [...answers, ...again].flatMap((answered) =>
    answered?.body.success ? answered.body.paymentId : [],
  );
  expect(new Set(paymentIds).size).toBe(1);
  expect((await stage.square.payments()).filter((p) => p.payment.reference_id === quote.orderId)).toHaveLength(1);
});

test('an order is charged once when two tabs pay it with different cards at two processes', async () => {
  const quote = await quotedBy(other);
  const tabs = [payment(quote, 'ok'), payment(quote, 'ok-mastercard')];
  await Promise.all(tabs.map((request, tab) => payPatiently(stage, tab === 0 ? struck : other, request)));
  await expect.poll(() => capturesOf(quote.orderId), patience).toBe(1);
});

test('two workers that continue one attempt at the same time finish it once', async () => {
  const quote = await quotedBy(other);
  await struck.arm('after authorize', 'hold');
  const request = payment(quote, 'ok');
  const answered = payPatiently(stage, struck, request);
  await struck.reached('after authorize');
  // The first request is still running, but its lease ends.
  const outcome = await outcomeOf(stage, request.idempotencyKey);
  expect(outcome).toMatchObject({ status: expect.stringMatching(endOfLost) });
  await struck.release();
  const isPaid = outcome !== 'not-found' && outcome.status === 'captured';
  expect((await answered)?.status === 200).toBe(isPaid);
});

test('clocks that are seconds apart change nothing: the stream alone orders the events', async () => {
  const [early, late] = await Promise.all([
    stage.start({ ...patient, clockAheadSeconds: -3 }),
    stage.start({ ...patient, clockAheadSeconds: 3 }),
  ]);
  const quote = await quotedBy(early);
  await late.arm('after authorize', 'die');
  const first = payment(quote, 'ok');
  await payPatiently(stage, late, first);
  expect(await outcomeOf(stage, first.idempotencyKey)).toMatchObject({
    status: expect.stringMatching(/captured|voided/),
  });
  await Promise.all([early, other].map((server) => payPatiently(stage, server, payment(quote, 'ok'))));
  await expect.poll(() => capturesOf(quote.orderId), patience).toBe(1);
  await early.kill();
});

test('a server whose clock is hours off does not start, and says why', async () => {
  await expect(stage.start({ ...patient, clockAheadSeconds: 3 * 3600 })).rejects.toThrow(
    "The server's clock is 10800 seconds ahead of the database's",
  );
});
