import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { patience } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { dashboardKey } from '../../testing/violations.ts';
import {
  type Administrator,
  type RefundAnswered,
  type RefundRequest,
  refundOf,
  requestRefundPatiently,
  signIn,
} from './administrator.ts';
import { type ChaosServer, holdAtFirst, untilDead } from './chaos-server.ts';
import { type Paid, paidOrder } from './customer.ts';
import type { FaultPoint } from './points.ts';
import { openStage, type Stage } from './stage.ts';

// Between two steps of a refund a process dies, or a call is lost.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
/** `struck` meets the fault; `other` runs all the time. */
let struck: ChaosServer;
let other: ChaosServer;
let admin: Administrator;

/** A busy machine must not look like a Square that does not answer. */
const patient = { squareTimeoutSeconds: 10 };

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  other = await stage.start(patient);
  admin = await signIn(other);
  // The request itself gets the outcome first.
  await stage.square.change({ webhookDelayMs: 1500 });
});
beforeEach(async () => {
  if (struck === undefined || !struck.isAlive()) struck = await stage.start(patient);
});
afterEach(async () => {
  expect(await stage.settled()).toEqual([]);
});
afterAll(() => stage.close());

function ask(server: ChaosServer, request: RefundRequest): Promise<RefundAnswered | undefined> {
  return requestRefundPatiently(stage, server, { admin, request });
}

/** Once Square has decided. */
async function endOf({ idempotencyKey }: RefundRequest): Promise<string | undefined> {
  const status = async () => {
    await stage.expireLeases();
    const [row] = await ownerSql<{ status: string }[]>`
      select status from ledger.refund_history where refund_id = ${idempotencyKey}`;
    return row?.status;
  };
  await expect.poll(status, patience).not.toBe('pending');
  return status();
}

async function refundsAtSquare({ paymentId }: Paid): Promise<number> {
  const [row] = await ownerSql<{ square_payment_id: string }[]>`
    select square_payment_id from ledger.order_summary where payment_id = ${paymentId}`;
  const made = await stage.square.payment(row?.square_payment_id ?? '');
  return made.refunds.length;
}

/** A busy machine may need another try. */
const busyMs = 120_000;

const windows: readonly FaultPoint[] = [
  'before append RefundRequested',
  'after append RefundRequested',
  'before refund',
  'after refund',
  'before append RefundSubmitted',
  'after append RefundSubmitted',
];

test.each(windows)(
  'a process that dies %s refunds once',
  async (point) => {
    await struck.arm(point, 'die');
    await untilDead(struck, async () => {
      const paid = await paidOrder(stage, other);
      const request = refundOf(paid, 5000);
      await ask(struck, request);
      // The same request means the same refund.
      expect((await ask(other, request))?.status).toBe(201);
      expect(await endOf(request)).toBe('completed');
      expect(await refundsAtSquare(paid)).toBe(1);
    });
  },
  busyMs,
);

test.each(windows)('a call that is lost %s refunds once', async (point) => {
  const paid = await paidOrder(stage, other);
  await struck.arm(point, 'lose');
  const request = refundOf(paid, 5000);
  expect((await ask(struck, request))?.status).toBe(201);
  expect(await endOf(request)).toBe('completed');
  expect(await refundsAtSquare(paid)).toBe(1);
});

test('a pending refund is completed although a worker dies while it polls Square', async () => {
  const paid = await paidOrder(stage, other, 'refund-pending');
  const request = refundOf(paid, 5000);
  expect((await ask(other, request))?.body.status).toBe('pending');
  await struck.arm('before append RefundCompleted', 'die');
  const [made] = (await stage.square.refunds()).filter((each) => each.idempotencyKey === request.idempotencyKey);
  await stage.square.settleRefund(made?.refund.id ?? '', 'COMPLETED');
  expect(await endOf(request)).toBe('completed');
  await struck.disarm();
});

test.each(['refund-fails', 'refund-rejected'])(
  'the amount of a failed refund is refundable again (card %s)',
  async (card) => {
    const paid = await paidOrder(stage, other, card);
    const request = refundOf(paid, paid.cents);
    expect((await ask(struck, request))?.body.status).toBe('pending');
    expect(await endOf(request)).toBe('failed');
    const [row] = await ownerSql<{ refundable_cents: number }[]>`
    select refundable_cents from ledger.order_summary where payment_id = ${paid.paymentId}`;
    expect(row?.refundable_cents).toBe(paid.cents);
  },
);

test('concurrent refunds of one order at two processes never exceed the paid amount', async () => {
  const paid = await paidOrder(stage, other);
  const requests = Array.from({ length: 8 }, () => refundOf(paid, Math.ceil(paid.cents * 0.3)));
  const answers = await Promise.all(requests.map((request, at) => ask(at % 2 === 0 ? struck : other, request)));
  expect(answers.map((answered) => answered?.status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  const refused = answers.filter((answered) => answered?.status === 409);
  const left = paid.cents - 3 * Math.ceil(paid.cents * 0.3);
  for (const { body } of refused.flatMap((answered) => answered ?? [])) {
    // The amount that was left at that moment; other refunds may reduce it later.
    expect(Math.round((body.remaining ?? 0) * 100)).toBeGreaterThanOrEqual(left);
  }
});

test('a refund that is clicked many times at two processes is made once', async () => {
  const paid = await paidOrder(stage, other);
  const request = refundOf(paid, 5000);
  const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => ask(at % 2 === 0 ? struck : other, request)));
  expect(answers.map((answered) => answered?.status)).toEqual([201, 201, 201, 201, 201, 201]);
  expect(await endOf(request)).toBe('completed');
  expect(await refundsAtSquare(paid)).toBe(1);
});

test.each(['RefundRequested', 'RefundSubmitted', 'RefundCompleted'] as const)(
  'Square and the ledger agree after a database outage at %s',
  async (type) => {
    const paid = await paidOrder(stage, other);
    const request = refundOf(paid, 5000);
    const hold = await holdAtFirst([struck, other], `before append ${type}`);
    const answering = ask(struck, request);
    await hold.reached;
    stage.proxy.block();
    await hold.release();
    void setTimeout(1500).then(stage.proxy.restore);
    expect([201, 503]).toContain((await answering)?.status);
    expect((await ask(other, request))?.status).toBe(201);
    expect(await endOf(request)).toBe('completed');
    expect(await refundsAtSquare(paid)).toBe(1);
  },
);

test('a refund that is made in the Square dashboard is recorded and reduces the refundable amount', async () => {
  const paid = await paidOrder(stage, other);
  const [row] = await ownerSql<{ square_payment_id: string }[]>`
    select square_payment_id from ledger.order_summary where payment_id = ${paid.paymentId}`;
  await refundAtSquare(row?.square_payment_id ?? '', 6000);
  await stage.decided();
  expect(await stage.settled()).toEqual([]);
  const answered = await ask(other, refundOf(paid, paid.cents));
  expect(answered?.status).toBe(409);
  expect(answered?.body.remaining).toBe((paid.cents - 6000) / 100);
});

async function refundAtSquare(squarePaymentId: string, cents: number): Promise<void> {
  const answer = await fetch(`${stage.simulator.url}/v2/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer simulator-access-token' },
    body: JSON.stringify({
      idempotency_key: `${dashboardKey}${crypto.randomUUID().slice(0, 30)}`,
      payment_id: squarePaymentId,
      amount_money: { amount: cents, currency: 'USD' },
    }),
  });
  if (!answer.ok) throw new Error(`Square refused: ${await answer.text()}`);
}
