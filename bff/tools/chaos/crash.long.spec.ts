import { afterAll, expect, test } from 'vitest';
import type { PaymentRequest } from '../../contract/order-request.ts';
import type { PaymentAttemptAnswer } from '../../contract/payment.ts';
import type { QuoteAnswer } from '../../contract/quote.ts';
import { connectSimulator } from '../../square-simulator/simulator-client.ts';
import { startSimulator } from '../../square-simulator/start-simulator.ts';
import { type ChildServer, startChildServer } from '../../testing/child-server.ts';
import { expectInvariants } from '../../testing/invariants.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { paymentFor, simulatorIdentity, twoRugs } from '../../testing/shop.ts';

const { url: databaseUrl, ownerSql } = await testDatabase();
const simulator = await startSimulator({ ...simulatorIdentity, host: '127.0.0.1', port: 0 });
const square = connectSimulator(simulator.url);
afterAll(simulator.close);

const startServer = () => startChildServer({ DATABASE_URL: databaseUrl, SQUARE_BASE_URL: simulator.url });

const post = (server: ChildServer, path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function quoted(server: ChildServer): Promise<QuoteAnswer> {
  return (await (await post(server, '/api/quote', twoRugs)).json()) as QuoteAnswer;
}

async function until(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sends a payment that hangs at Square, and waits until Square has received the call. */
async function payUntilSquareHangs(server: ChildServer, fault: Hang): Promise<PaymentRequest> {
  simulator.setFault({ ...fault, times: 1 });
  const payment = paymentFor(await quoted(server));
  void post(server, '/api/process-payment', payment).catch(() => undefined);
  await until(`Square is asked (${fault.kind} ${fault.path})`, async () => (await square.faults()).length === 0);
  return payment;
}

type Hang = { readonly kind: 'hang-before' | 'hang-after'; readonly path: string };

const windows: readonly Hang[] = [
  { kind: 'hang-before', path: '/v2/payments' },
  { kind: 'hang-after', path: '/v2/payments' },
  { kind: 'hang-before', path: '/v2/payments/*/complete' },
  { kind: 'hang-after', path: '/v2/payments/*/complete' },
];

test('payments of a process that was killed between two appends are settled within a minute', async () => {
  const doomed = await startServer();
  const payments: PaymentRequest[] = [];
  for (const window of windows) payments.push(await payUntilSquareHangs(doomed, window));
  await doomed.kill();
  const killedAt = Date.now();
  expect((await square.payments()).map(({ payment }) => payment.status).toSorted()).toEqual([
    'APPROVED',
    'APPROVED',
    'COMPLETED',
  ]);

  const survivor = await startServer();
  try {
    const ask = async ({ idempotencyKey }: PaymentRequest) =>
      (await (await fetch(`${survivor.url}/api/payment-attempts/${idempotencyKey}`)).json()) as PaymentAttemptAnswer;
    await until(
      'no attempt is open',
      async () =>
        (await Promise.all(payments.map(ask))).every(({ status }) => status === 'captured' || status === 'voided'),
      60_000 - (Date.now() - killedAt),
    );
    const outcomes = (await Promise.all(payments.map(ask))).map(({ status }) => status);
    expect(outcomes).toEqual(['voided', 'captured', 'captured', 'captured']);

    // An order whose attempt was voided can still be paid with another card.
    const [unpaid] = payments;
    const retried = await post(survivor, '/api/process-payment', { ...unpaid, idempotencyKey: crypto.randomUUID() });
    expect(retried.status).toBe(200);
    await until(
      'no effect is open',
      async () => (await ownerSql`select from ledger.effect where state = 'open'`).length === 0,
    );
    await expectInvariants(ownerSql, square);
  } finally {
    expect(await survivor.stop()).toBe(0);
  }
}, 120_000);
