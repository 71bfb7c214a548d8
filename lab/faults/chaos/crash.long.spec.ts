import type { PaymentRequest } from '@kilim/bff/contract/order-request';
import type { PaymentAttemptAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { afterAll, expect, test } from 'vitest';
import { connectSimulator } from '../../square/simulator-client.ts';
import { startSimulator } from '../../square/start-simulator.ts';
import { type ChildServer, startChildServer } from '../../testing/child-server.ts';
import { expectInvariants } from '../../testing/invariants.ts';
import { patience, until } from '../../testing/patience.ts';
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
  const answer = await post(server, '/api/quote', twoRugs);
  if (answer.status !== 200) throw new Error(`Not quoted: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as QuoteAnswer;
}

/** As often as a browser would, until Square has received the call. */
async function payUntilSquareHangs(server: ChildServer, fault: Hang): Promise<PaymentRequest> {
  simulator.setFault({ ...fault, times: 1 });
  let payment = paymentFor(await quoted(server));
  let ended: string | undefined;
  const send = () => {
    ended = undefined;
    post(server, '/api/process-payment', payment).then(
      async (answer) => (ended = `${answer.status} ${await answer.text()}`),
      (error: unknown) => (ended = String(error)),
    );
  };
  send();
  await until(`Square is asked (${fault.kind} ${fault.path})`, async () => {
    const isAsked = (await square.faults()).length === 0;
    if (isAsked || ended === undefined) return isAsked;
    const isRecorded = ended.startsWith('202 ');
    const isWorthRepeating = isRecorded || ended.startsWith('503 ') || ended.startsWith('TypeError');
    if (!isWorthRepeating) throw new Error(`Answered before Square was asked: ${ended}\n${server.output()}`);
    // A slow database stored the intent of a request that was told 503: without its token, Square is not asked for it.
    if (isRecorded) payment = paymentFor(await quoted(server));
    send();
    return false;
  });
  return payment;
}

type Hang = { readonly kind: 'hang-before' | 'hang-after'; readonly path: string };

const windows: readonly Hang[] = [
  { kind: 'hang-before', path: '/v2/payments' },
  { kind: 'hang-after', path: '/v2/payments' },
  { kind: 'hang-before', path: '/v2/payments/*/complete' },
  { kind: 'hang-after', path: '/v2/payments/*/complete' },
];

test('payments of a process that was killed between two appends are settled by the next one', async () => {
  const doomed = await startServer();
  const payments: PaymentRequest[] = [];
  for (const window of windows) payments.push(await payUntilSquareHangs(doomed, window));
  await doomed.kill();
  // Square goes on with a call whose caller has died.
  const statuses = async () => (await square.payments()).map(({ payment }) => payment.status).toSorted();
  await expect.poll(statuses, patience).toEqual(['APPROVED', 'APPROVED', 'COMPLETED']);

  const survivor = await startServer();
  try {
    const ask = async ({ idempotencyKey }: PaymentRequest) =>
      (await (await fetch(`${survivor.url}/api/payment-attempts/${idempotencyKey}`)).json()) as PaymentAttemptAnswer;
    await until('no attempt is open', async () =>
      (await Promise.all(payments.map(ask))).every(({ status }) => status === 'captured' || status === 'voided'),
    );
    const outcomes = (await Promise.all(payments.map(ask))).map(({ status }) => status);
    expect(outcomes).toEqual(['voided', 'captured', 'captured', 'captured']);

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
}, 240_000);
