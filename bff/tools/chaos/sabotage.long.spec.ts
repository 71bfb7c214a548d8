import { afterAll, afterEach, expect, test } from 'vitest';
import { openSmtp } from '../../src/mail/smtp.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { refundOf, requestRefund, signIn } from './administrator.ts';
import type { ChaosServer } from './chaos-server.ts';
import { paidOrder, pay, payment, quotedBy } from './customer.ts';
import type { Changes } from './points.ts';
import { openStage, type Stage } from './stage.ts';

// Each test removes one safeguard and expects the harness to notice. A harness that notices nothing
// proves nothing when it is green.

const { url, ownerSql } = await testDatabase();
const stage: Stage = await openStage({ databaseUrl: url, ownerSql });
afterAll(() => stage.close());

afterEach(async () => {
  await Promise.all(stage.servers().map((server) => server.kill()));
});

const seenWithinMs = 6000;

/**
 * Starts a server without a safeguard. `found` ignores the violations of earlier tests.
 */
async function sabotaged(changes: Partial<Changes>): Promise<{ readonly server: ChaosServer; readonly found: Found }> {
  const before = new Set(await stage.settled(0));
  const server = await stage.start({ squareTimeoutSeconds: 10, ...changes });
  const found = async () => (await stage.settled(seenWithinMs)).filter((sentence) => !before.has(sentence));
  return { server, found };
}

type Found = () => Promise<readonly string[]>;

test('nothing is found with every safeguard in place', async () => {
  const { server, found } = await sabotaged({});
  await server.arm('after authorize', 'lose');
  await paidOrder(stage, server);
  expect(await found()).toEqual([]);
});

test('a mail that never arrives is noticed, and one that nobody needs', async () => {
  const { server } = await sabotaged({});
  stage.mailbox.setFault('refuse-connections');
  await paidOrder(stage, server);
  const found = await stage.mailed(3000);
  expect(found).toContainEqual(expect.stringMatching(/^M1 order-confirmation of [0-9a-f-]{36} is open$/));
  stage.mailbox.setFault();
  expect(await stage.mailed()).toEqual([]);
  await openSmtp({ smtpUrl: stage.mailbox.smtpUrl, from: 'orders@shop.example' }).send({
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'Nobody asked for this.',
  });
  expect(await stage.mailed(0)).toEqual(['M2 a mail that nobody needs was sent: Hello']);
});

test('a fresh key for each try is noticed', async () => {
  const { server, found } = await sabotaged({ sabotage: 'fresh-key-per-try' });
  await server.arm('after authorize', 'lose');
  await pay(stage, server, payment(await quotedBy(server), 'ok'));
  expect(await found()).toContainEqual(expect.stringContaining('which the ledger never intended'));
});

test('a fresh key for each try of a refund is noticed', async () => {
  const { server, found } = await sabotaged({ sabotage: 'fresh-key-per-try' });
  const paid = await paidOrder(stage, server);
  const admin = await signIn(server);
  await server.arm('after refund', 'lose');
  await requestRefund(stage, server, { admin, request: refundOf(paid, 5000) });
  expect(await found()).toContainEqual(expect.stringMatching(/I5|never intended/));
});

test('a timeout that is treated as a failure is noticed', async () => {
  const { server, found } = await sabotaged({ sabotage: 'timeout-is-failure', squareTimeoutSeconds: 1, hurry: 0 });
  stage.simulator.setFault({ kind: 'hang-after', path: '/v2/payments', times: 1 });
  const quote = await quotedBy(server);
  expect((await pay(stage, server, payment(quote, 'ok')))?.status).toBe(402);
  expect((await pay(stage, server, payment(quote, 'ok')))?.status).toBe(200);
  expect(await found()).toContainEqual(expect.stringMatching(/The hold .* is left behind/));
});

test('a server without a worker is noticed', async () => {
  const { server, found } = await sabotaged({ hurry: 0 });
  await server.arm('after append PaymentAuthorized', 'die');
  await pay(stage, server, payment(await quotedBy(server), 'ok'));
  expect(await found()).toContainEqual(expect.stringMatching(/I6 the effect .* is open/));
});

test('a refund limit that ignores pending refunds is noticed', async () => {
  // The database and Square would refuse too. Only the decision is tested here.
  await ownerSql`alter table ledger.order_summary drop constraint order_summary_never_more_out_than_in`;
  const { server, found } = await sabotaged({ sabotage: 'only-completed-refunds-count' });
  const paid = await paidOrder(stage, server);
  const admin = await signIn(server);
  const requests = Array.from({ length: 3 }, () => refundOf(paid, Math.floor(paid.cents * 0.6)));
  for (const request of requests) await requestRefund(stage, server, { admin, request });
  expect(await found()).toContainEqual(expect.stringMatching(/I4 .* promises more than it captured/));
});

test('an append that does not check the expected version is noticed', async () => {
  await dropVersionGuards();
  const { server, found } = await sabotaged({});
  const second = await stage.start({ squareTimeoutSeconds: 10 });
  const paid = await paidOrder(stage, server);
  const admin = await signIn(server);
  // Both servers have read the same version when they append.
  const point = 'before append RefundRequested';
  await Promise.all([server, second].map((each) => each.arm(point, 'hold')));
  const answers = [server, second].map((each) => requestRefund(stage, each, { admin, request: refundOf(paid, 100) }));
  await Promise.all([server, second].map((each) => each.reached(point)));
  await Promise.all([server, second].map((each) => each.release()));
  await Promise.all(answers);
  expect(await found()).toContainEqual(expect.stringMatching(/I7 the chain of .* breaks/));
});

/** Removes the version check from the append function, and the key that would still refuse. */
async function dropVersionGuards(): Promise<void> {
  const [row] = await ownerSql<{ definition: string }[]>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where proname = 'append_to_order_v2' and pronamespace = 'ledger'::regnamespace`;
  const guard = 'and order_summary.version = p_expected_version';
  const definition = row?.definition ?? '';
  if (!definition.includes(guard)) throw new Error('The append function has changed: adapt the sabotage');
  await ownerSql.unsafe(definition.replace(guard, ''));
  await ownerSql`alter table ledger.event drop constraint event_pkey`;
}
