import type { Role } from '@kilim/domain/people/permissions';
import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { until } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, describe, expect, test } from 'vitest';
import type { RefundRequest } from '../../../contract/refund-request.ts';
import type { RefundProblemAnswer } from '../../../contract/refunds.ts';
import type { AdminSettingsAnswer, SettingsHistory } from '../../../contract/settings.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const ben = { username: 'ben', password: 'copper lantern orchard 12' };
const cleo = { username: 'cleo', password: 'marble thicket violin 35' };
await makePerson(appSql, ben, 'clerk');
await makePerson(appSql, cleo, 'clerk');
const owner = openBrowser(shop);
const clerk = openBrowser(shop, ben);
const otherClerk = openBrowser(shop, cleo);
await Promise.all([owner, clerk, otherClerk].map((browser) => browser.signIn()));

type Limits = AdminSettingsAnswer['refundLimits'];
type Dollars = readonly [perRefund: number, perPersonAndDay: number, perShopAndDay: number];

const limitOf = ([perRefund, perPersonAndDay, perShopAndDay]: Dollars) => ({
  ...{ perRefund, perPersonAndDay, perShopAndDay },
});

async function save(refundLimits: Limits): Promise<Response> {
  const { version } = (await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  return await owner.post('/api/admin/settings', { refundLimits }, { 'if-match': `"${version}"` });
}

/** Yesterday's refunds do not count. */
async function limit(limits: Partial<Record<Role, Dollars>>): Promise<void> {
  await ownerSql`update ledger.refund_history set requested_at = requested_at - interval '1 day'`;
  await owner.signIn();
  const { owner: ofOwner = [10_000, 20_000, 40_000], clerk: ofClerk = [500, 1500, 5000] } = limits;
  const saved = await save({ owner: limitOf(ofOwner), clerk: limitOf(ofClerk) });
  expect(saved.status).toBe(200);
}

async function payOrder(card: Parameters<typeof paymentFor>[1] = {}): Promise<string> {
  const body = await paid(shop, paymentFor(await quoted(shop), card));
  return body.paymentId;
}

const refundOf = (paymentId: string, amount: number): RefundRequest => ({
  ...{ paymentId, amount, reason: 'Goodwill', refundType: 'partial', idempotencyKey: crypto.randomUUID() },
});

const refund = (request: RefundRequest, browser = owner) => browser.post('/api/admin/refund', request);

async function refused(request: RefundRequest, browser = owner): Promise<RefundProblemAnswer> {
  const answer = await refund(request, browser);
  expect(answer.status).toBe(409);
  return (await answer.json()) as RefundProblemAnswer;
}

async function requestedCents(paymentId: string): Promise<number> {
  const [row] = await ownerSql<{ cents: number }[]>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from ledger.event
    where type = 'RefundRequested' and payload ->> 'paymentId' = ${paymentId}`;
  return row?.cents ?? 0;
}

async function settleUntilFailed(refundId: string): Promise<void> {
  await until('the refund has failed', async () => {
    await settleNow(shop.world, ownerSql);
    const [row] = await ownerSql<{ status: string }[]>`
      select status from ledger.refund_history where refund_id = ${refundId}`;
    return row?.status === 'failed';
  });
}

describe('a limit', () => {
  test('of one refund refuses a larger one, and names those who can make it', async () => {
    await limit({ clerk: [20, 1500, 5000] });
    const paymentId = await payOrder();
    expect(await refused(refundOf(paymentId, 20.01), clerk)).toMatchObject({
      code: 'RefundLimitReached',
      message: 'Your limit is $20.00 for one refund. ada can make this refund.',
    });
    expect(await requestedCents(paymentId)).toBe(0);
    const [entry] = await ownerSql`
      select username, detail from admin.security_entry where kind = 'limit-reached' order by id desc limit 1`;
    expect(entry).toEqual({ username: 'ben', detail: { limit: 'of one refund' } });
    expect((await refund(refundOf(paymentId, 20), clerk)).status).toBe(201);
  });

  test('of a day counts the refunds of one person', async () => {
    await limit({ clerk: [20, 30, 5000] });
    const paymentId = await payOrder();
    expect((await refund(refundOf(paymentId, 20), clerk)).status).toBe(201);
    const { message } = await refused(refundOf(paymentId, 10.01), clerk);
    expect(message).toBe(
      'Your limit is $30.00 a day, and you have refunded $20.00 today. ada or cleo clerk can make this refund.',
    );
    expect((await refund(refundOf(paymentId, 10.01), otherClerk)).status).toBe(201);
    expect((await refund(refundOf(paymentId, 10), clerk)).status).toBe(201);
  });

  test('of the shop counts the refunds of all people', async () => {
    await limit({ clerk: [20, 30, 30] });
    const paymentId = await payOrder();
    expect((await refund(refundOf(paymentId, 20), otherClerk)).status).toBe(201);
    const { message } = await refused(refundOf(paymentId, 20), clerk);
    expect(message).toBe(
      'Your limit is $30.00 a day for the whole shop, and $20.00 have been refunded today. ada can make this refund.',
    );
    expect((await refund(refundOf(paymentId, 20))).status).toBe(201);
  });

  test('does not count a refund that Square refuses', async () => {
    await limit({ clerk: [30, 30, 5000] });
    const request = refundOf(await payOrder({ token: 'cnon:sim-refund-rejected-00000001' }), 30);
    expect((await refund(request, clerk)).status).toBe(201);
    await settleUntilFailed(request.idempotencyKey);
    expect((await refund(refundOf(await payOrder(), 30), clerk)).status).toBe(201);
  });

  test('lets the same request through again', async () => {
    await limit({ clerk: [30, 30, 5000] });
    const request = refundOf(await payOrder(), 30);
    expect((await refund(request, clerk)).status).toBe(201);
    await limit({ clerk: [10, 10, 10] });
    expect((await refund(request, clerk)).status).toBe(201);
  });
});

test('ten refunds of a stolen session at the same time stop at the limit', async () => {
  await limit({ clerk: [20, 100, 5000] });
  const payments = await Promise.all(Array.from({ length: 10 }, () => payOrder()));
  const answers = await Promise.all(payments.map((paymentId) => refund(refundOf(paymentId, 20), clerk)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => 201),
    ...Array.from({ length: 5 }, () => 409),
  ]);
  const requested = await Promise.all(payments.map(requestedCents));
  expect(requested.reduce((sum, cents) => sum + cents)).toBe(10_000);
});

test('without the second factor that production demands, none of ten refunds is made', async () => {
  const production = await openShop(appSql, { secondFactor: { required: true, key: 'a key for tests' } });
  const thief = openBrowser(production, ben);
  await thief.signIn();
  const paymentId = await payOrder();
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(refundOf(paymentId, 1), thief)));
  const codes = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { code: string }).code));
  expect(new Set(codes)).toEqual(new Set(['SecondFactorRequired']));
  expect(await requestedCents(paymentId)).toBe(0);
  await production.close();
});

test('a person sees what is left of the limits', async () => {
  await limit({ clerk: [20, 30, 5000] });
  const read = async () => (await clerk.get('/api/admin/refund-allowance')).json();
  expect(await read()).toMatchObject({ allowed: 20, limits: { perRefund: 20, perPersonAndDay: 30 } });
  await refund(refundOf(await payOrder(), 20), clerk);
  expect(await read()).toMatchObject({ allowed: 10 });
});

describe('the limits', () => {
  const higher = { owner: limitOf([10_000, 20_000, 40_000]), clerk: limitOf([501, 1500, 5000]) };
  const lower = { owner: limitOf([10_000, 20_000, 40_000]), clerk: limitOf([499, 1500, 5000]) };

  test('are raised only within a minute after a proof; they are lowered without it', async () => {
    await limit({});
    await owner.age(ownerSql, 61);
    const refusal = await save(higher);
    expect([refusal.status, await refusal.json()]).toMatchObject([403, { code: 'ReauthenticationRequired' }]);
    expect((await save(lower)).status).toBe(200);
    await owner.post('/api/admin/reauthenticate', { password: ada.password });
    expect((await save(higher)).status).toBe(200);
  });

  test('of another save are not overwritten', async () => {
    await limit({});
    const answer = await owner.post('/api/admin/settings', { version: 0, refundLimits: lower });
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'SettingsChanged' }]);
  });

  test('are refused field by field', async () => {
    await limit({});
    const answer = await save({ ...lower, clerk: limitOf([500, 499, 5000]) });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { fields: { 'refundLimits.clerk.perPersonAndDay': 'This must not be less than the limit before it' } },
    ]);
  });

  test('are read and saved by owners only, and are no part of the public settings', async () => {
    await limit({});
    for (const answer of [await clerk.get('/api/admin/settings'), await clerk.get('/api/admin/settings/history')]) {
      expect(answer.status).toBe(403);
    }
    const refused = await clerk.post('/api/admin/settings', { version: 0, refundLimits: lower });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'NotPermitted' }]);
    const shown = (await (await shop.get('/api/settings')).json()) as object;
    expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['refundLimits']));
    expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['contactRetention']));
  });

  test('stand in the history of the settings, like the period for which contacts are kept', async () => {
    await limit({});
    expect((await save(lower)).status).toBe(200);
    const { version } = (await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
    await owner.post('/api/admin/settings', { version, contactRetention: { months: null } });
    const history = (await (await owner.get('/api/admin/settings/history')).json()) as SettingsHistory;
    expect(history.slice(0, 2).map(({ changes }) => changes)).toEqual([
      ['Contacts are kept: 24 months → until a person erases them'],
      ['Limit of clerks for one refund: $500.00 → $499.00'],
    ]);
  });
});
