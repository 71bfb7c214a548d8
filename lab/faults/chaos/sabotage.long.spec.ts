import { test as base, expect } from 'vitest';
import type { Sql } from '../../../bff/src/core/database/database.ts';
import { openSmtp } from '../../../bff/src/core/runtime/smtp.ts';
import { until } from '../../testing/patience.ts';
import { cloneDatabase } from '../../testing/postgres.ts';
import { refundOf, requestRefundPatiently, signIn } from './administrator.ts';
import { type ChaosServer, untilDead } from './chaos-server.ts';
import { type Answered, paidOrder, payment, payPatiently, quotedBy } from './customer.ts';
import type { Changes } from './points.ts';
import { openStage, type Stage } from './stage.ts';

// Each test removes one safeguard and expects the harness to notice: a blind harness proves nothing when it is green. A
// busy server may refuse a request or leave it to its worker, so a test acts until what it needs has happened.

/** Of its own, because some tests change its functions. */
const test = base.extend('stage', async ({ task: _ }, { onCleanup }) => {
  const database = await cloneDatabase();
  const stage = await openStage({ databaseUrl: database.url, ownerSql: database.ownerSql });
  onCleanup(async () => {
    await stage.close();
    await database.drop();
  });
  return stage;
});

/** What is found after this time is no work that goes on. */
const seenWithinMs = 6000;

/** Until Square shows what the test needs. */
async function payUntil(
  { stage, server }: { readonly stage: Stage; readonly server: ChaosServer },
  condition: string,
  holds: (answered: Answered | undefined) => boolean | Promise<boolean>,
): Promise<void> {
  await until(condition, async () => holds(await payPatiently(stage, server, payment(await quotedBy(server), 'ok'))));
}

async function sabotaged(stage: Stage, changes: Partial<Changes>): Promise<ChaosServer> {
  return await stage.start({ squareTimeoutSeconds: 10, ...changes });
}

test('nothing is found with every safeguard in place', async ({ stage }) => {
  const server = await sabotaged(stage, {});
  await server.arm('after authorize', 'lose');
  await paidOrder(stage, server);
  expect(await stage.settled()).toEqual([]);
});

test('a mail that never arrives is noticed, and one that is not due', async ({ stage }) => {
  const server = await sabotaged(stage, {});
  stage.mailbox.setFault('refuse-connections');
  await paidOrder(stage, server);
  const found = await stage.mailed(3000);
  expect(found).toContainEqual(expect.stringMatching(/^M1 order-confirmation of [0-9a-f-]{36} is open$/));
  stage.mailbox.setFault();
  expect(await stage.mailed()).toEqual([]);
  await openSmtp({ smtpUrl: stage.mailbox.smtpUrl, from: 'orders@shop.example' }).send({
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'This mail is not due.',
  });
  expect(await stage.mailed(0)).toEqual(['M2 a mail that is not due was sent: Hello']);
});

test('a fresh key for each try is noticed', async ({ stage }) => {
  const server = await sabotaged(stage, { sabotage: 'fresh-key-per-try' });
  await server.arm('after authorize', 'lose');
  await payUntil(
    { stage, server },
    'Square was asked for a payment',
    async () => (await stage.square.payments()).length > 0,
  );
  expect(await stage.settled(seenWithinMs)).toContainEqual(expect.stringContaining('which the ledger never intended'));
});

test('a fresh key for each try of a refund is noticed', async ({ stage }) => {
  const server = await sabotaged(stage, { sabotage: 'fresh-key-per-try' });
  const paid = await paidOrder(stage, server);
  const admin = await signIn(server);
  await server.arm('after refund', 'lose');
  await requestRefundPatiently(stage, server, { admin, request: refundOf(paid, 5000) });
  // When the request could not ask Square, a worker does.
  await until('Square was asked for a refund', async () => (await stage.square.refunds()).length > 0);
  expect(await stage.settled(seenWithinMs)).toContainEqual(expect.stringMatching(/I5|never intended/));
});

test('a timeout that is treated as a failure is noticed', async ({ stage }) => {
  const server = await sabotaged(stage, { sabotage: 'timeout-is-failure', squareTimeoutSeconds: 1, hurry: 0 });
  stage.simulator.setFault({ kind: 'hang-after', path: '/v2/payments', times: 1 });
  // The customer hears that nothing was charged, although Square holds the money.
  await payUntil({ stage, server }, 'a hold is reported as a failure', async (answered) => {
    const payments = await stage.square.payments();
    return answered?.status === 402 && payments.some(({ payment: { status } }) => status === 'APPROVED');
  });
  expect(await stage.settled(seenWithinMs)).toContainEqual(expect.stringMatching(/The hold .* is left behind/));
});

test('a server without a worker is noticed', async ({ stage }) => {
  const server = await sabotaged(stage, { hurry: 0 });
  await server.arm('after append PaymentAuthorized', 'die');
  await untilDead(server, async () => {
    await payPatiently(stage, server, payment(await quotedBy(server), 'ok'));
  });
  expect(await stage.settled(seenWithinMs)).toContainEqual(expect.stringMatching(/I6 the effect .* is open/));
});

test('a refund limit that ignores pending refunds is noticed', async ({ stage }) => {
  // The database and Square would refuse too; only the decision is tested here.
  await stage.ownerSql`alter table ledger.order_summary drop constraint order_summary_never_more_out_than_in`;
  const server = await sabotaged(stage, { sabotage: 'only-completed-refunds-count' });
  const paid = await paidOrder(stage, server);
  const admin = await signIn(server);
  // None is completed before all are requested.
  await server.arm('before refund', 'hold', 3);
  const requests = Array.from({ length: 3 }, () => refundOf(paid, Math.floor(paid.cents * 0.6)));
  const answers = requests.map((request) => requestRefundPatiently(stage, server, { admin, request }));
  await Promise.all(requests.map(() => server.reached('before refund')));
  await server.release();
  await Promise.all(answers);
  expect(await stage.settled(seenWithinMs)).toContainEqual(
    expect.stringMatching(/I4 .* promises more than it captured/),
  );
});

test('an append that does not check the expected version is noticed', async ({ stage }) => {
  await dropVersionGuards(stage.ownerSql);
  const server = await sabotaged(stage, {});
  const second = await stage.start({ squareTimeoutSeconds: 10 });
  const paid = await paidOrder(stage, server);
  const admin = await signIn(server);
  // Both servers have read the same version.
  const point = 'before append RefundRequested';
  await Promise.all([server, second].map((each) => each.arm(point, 'hold')));
  const answers = [server, second].map((each) =>
    requestRefundPatiently(stage, each, { admin, request: refundOf(paid, 100) }),
  );
  await Promise.all([server, second].map((each) => each.reached(point)));
  await Promise.all([server, second].map((each) => each.release()));
  await Promise.all(answers);
  expect(await stage.settled(seenWithinMs)).toContainEqual(expect.stringMatching(/I7 the chain of .* breaks/));
});

/** With the key that would still refuse. */
async function dropVersionGuards(ownerSql: Sql): Promise<void> {
  const [row] = await ownerSql<{ definition: string }[]>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where proname = 'append_to_order' and pronamespace = 'ledger'::regnamespace`;
  const guard = 'and order_summary.version = p_expected_version';
  const definition = row?.definition ?? '';
  if (!definition.includes(guard)) throw new Error('The append function has changed: adapt the sabotage');
  await ownerSql.unsafe(definition.replace(guard, ''));
  await ownerSql`alter table ledger.event drop constraint event_pkey`;
}
