import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signWebhook } from '../../square/webhook-signature.ts';
import { endOfLost } from '../../testing/only-ours.ts';
import { patience, until } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import type { ChaosServer } from './chaos-server.ts';
import { type Answered, ask, paidOrder, pay, payment, payPatiently, quotedBy } from './customer.ts';
import type { SilenceEnding } from './database-proxy.ts';
import { openStage, type Stage } from './stage.ts';

// Connections that break at an append or deliver nothing, and a Square that rejects our token: the server recovers
// without a restart.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
let server: ChaosServer;

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  server = await stage.start({ squareTimeoutSeconds: 10 });
});
afterEach(async () => {
  stage.proxy.restore();
  stage.restoreToken();
  expect(await stage.settled()).toEqual([]);
});
afterAll(() => stage.close());

/** `paid` when the payment becomes known, else the last answer. */
async function outcomeOf(request: ReturnType<typeof payment>): Promise<string> {
  const deadline = performance.now() + patience.timeout;
  const answered: Answered | undefined = await pay(stage, server, request);
  if (answered?.body.success) return 'paid';
  let status = `answered ${answered?.status}`;
  while (performance.now() < deadline) {
    const attempt = await ask(stage, request.idempotencyKey);
    // As the page does after a 503 of a busy server.
    if (attempt === 'not-found') await pay(stage, server, request);
    else if (attempt !== undefined) {
      if (attempt.status === 'captured') return 'paid';
      status = `${answered?.status}, ${attempt.status}`;
    }
    await setTimeout(50);
  }
  return status;
}

const breaks = (['PaymentStarted', 'PaymentAuthorized', 'PaymentCaptured'] as const).flatMap((event) => [
  { event, at: 'request' as const },
  { event, at: 'answer' as const },
]);

test.each(breaks)('a payment whose connection breaks at the $at of $event becomes known', async ({ event, at }) => {
  const request = payment(await quotedBy(server), 'ok');
  stage.proxy.breakAtAppend(event, at);
  expect(await outcomeOf(request)).toBe('paid');
});

test('a payment succeeds although the answer to its first append was lost', async () => {
  const request = payment(await quotedBy(server), 'ok');
  stage.proxy.breakAtAppend('PaymentStarted', 'answer');
  expect((await pay(stage, server, request))?.status).toBe(200);
});

test('a customer learns that card payment is unavailable while Square refuses our token, and can pay later', async () => {
  const quote = await quotedBy(server);
  const request = payment(quote, 'ok');
  stage.revokeToken();
  const answered = await payPatiently(stage, server, request);
  expect(answered).toMatchObject({ status: 402, body: { success: false, code: 'CardPaymentUnavailable' } });
  expect(answered?.body).toHaveProperty('message', expect.stringMatching(/\S/));
  expect(await ask(stage, request.idempotencyKey)).toMatchObject({ code: 'CardPaymentUnavailable' });
  const isFatal = (line: string) => line.includes('"level":"fatal"');
  expect(server.output().split('\n').filter(isFatal)).not.toHaveLength(0);
  stage.restoreToken();
  expect((await payPatiently(stage, server, payment(quote, 'ok')))?.status).toBe(200);
});

// With `forget` the connections never answer again, so the server must give them up.
test.each([
  { ending: 'resume', times: 1 },
  { ending: 'reset', times: 5 },
  { ending: 'forget', times: 2 },
] as const)(
  'background work continues after silent connections ($ending, $times times)',
  async ({ ending, times }) => {
    const paid = await paidOrder(stage, server);
    const [{ squareId } = { squareId: '' }] = await ownerSql<{ squareId: string }[]>`
    select square_payment_id as "squareId" from ledger.order_summary where order_id = ${paid.orderId}`;
    for (let time = 0; time < times; time += 1) await silenceConnections(squareId, ending, time);
    await server.arm('after authorize', 'lose', 2);
    const request = payment(await quotedBy(server), 'ok');
    const eventId = crypto.randomUUID();
    // The page retries a 503, and Square its webhook.
    const untilAccepted = async (send: () => Promise<number | undefined>) => {
      await until('it is not answered 503', async () => (await send()) !== 503);
    };
    await Promise.all([
      untilAccepted(async () => (await pay(stage, server, request))?.status),
      untilAccepted(() => tell(squareId, eventId)),
    ]);
    const isFollowed = () => ownerSql`
    select from ledger.square_hint where event_id = ${eventId} and handled_at is not null`;
    await expect.poll(isFollowed, patience).toHaveLength(1);
    const status = async () => {
      const attempt = await ask(stage, request.idempotencyKey);
      return attempt === undefined || attempt === 'not-found' ? attempt : attempt.status;
    };
    await expect.poll(status, patience).toMatch(endOfLost);
  },
  240_000,
);

/** Statements are in flight when the silence begins. */
async function silenceConnections(squareId: string, ending: SilenceEnding, time: number): Promise<void> {
  const quote = await quotedBy(server).catch(() => undefined);
  const answering = quote && pay(stage, server, payment(quote, 'ok'));
  const told = tell(squareId);
  await setTimeout(time * 7);
  stage.proxy.silence({ direction: 'both ways', isForNewConnections: false });
  await setTimeout(4000);
  stage.proxy.endSilence(ending);
  await Promise.all([answering, told]);
}

/** Signed, as by Square. */
async function tell(squareId: string, eventId: string = crypto.randomUUID()): Promise<number | undefined> {
  const body = JSON.stringify({ event_id: eventId, type: 'payment.updated', data: { type: 'payment', id: squareId } });
  const signature = signWebhook({ ...stage.webhooks, body });
  const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature };
  const answer = await fetch(stage.webhooks.url, { method: 'POST', body, headers }).catch(() => undefined);
  return answer?.status;
}
