import { parsePaymentId } from '@kilim/domain/order/ids';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readDueContacts } from '../queries/due-contacts.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { expireContacts, takeDueExpiry } from './expire-contacts.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const owner = openBrowser(shop);
await owner.signIn();

async function order(): Promise<string> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  const found = paymentId && (await findOrderByPayment(appSql, paymentId));
  if (found === undefined) throw new Error('not paid');
  return found.stream.orderId;
}

const inMonths = (months: number) => new Date(Date.now() + months * 31 * 24 * 3_600_000);
const expireIn = (months: number) => expireContacts({ ...shop.world, now: () => inMonths(months) });
const contacts = async () =>
  (await ownerSql<{ id: string }[]>`select order_id::text as id from ledger.customer_contact`).map(({ id }) => id);

async function keepFor(months: number | null): Promise<void> {
  const { version } = (await (await owner.get('/api/admin/settings')).json()) as { version: number };
  const saved = await owner.post('/api/admin/settings', { version, contactRetention: { months } });
  expect(saved.status, await saved.clone().text()).toBe(200);
}

// An expiry erases every contact that is due.
beforeEach(async () => {
  await ownerSql`delete from ledger.customer_contact`;
  await keepFor(24);
});

test('a contact is erased two years after the last event of its order, as an event of its own', async () => {
  const id = await order();
  expect(await expireIn(23)).toBe(0);
  expect(await contacts()).toContain(id);
  expect(await expireIn(25)).toBe(1);
  expect(await contacts()).toEqual([]);
  const [event] = await ownerSql`
    select actor, payload from ledger.event where stream_id = ${`order-${id}`} and type = 'ContactErased'`;
  expect(event).toEqual({ actor: 'retention', payload: { erasedBy: 'retention' } });
  expect(await expireIn(25)).toBe(0);
  expect(await (await owner.get(`/api/admin/orders/${id}`)).json()).toMatchObject({
    order: { customerInfo: null },
  });
});

test.each([
  ['a payment in processing', `payment_status = 'processing'`],
  ['a pending refund', 'refund_pending_cents = 100, refundable_cents = refundable_cents - 100'],
  ['an open dispute', `dispute_status = 'open'`],
])('%s keeps the contact', async (_what, change) => {
  const id = await order();
  await ownerSql.unsafe(`update ledger.order_summary set ${change} where order_id = '${id}'`);
  expect(await expireIn(25)).toBe(0);
  expect(await contacts()).toContain(id);
});

test('a call to Square that waits keeps the contact, also a parked one', async () => {
  const id = await order();
  await ownerSql`update ledger.effect set state = 'parked' where order_id = ${id}::uuid`;
  expect(await expireIn(25)).toBe(0);
  await ownerSql`update ledger.effect set state = 'done' where order_id = ${id}::uuid`;
  expect(await expireIn(25)).toBe(1);
});

test('the owner chooses another period, or none', async () => {
  await order();
  await keepFor(null);
  expect(await expireIn(1000)).toBe(0);
  await keepFor(3);
  expect(await expireIn(4)).toBe(1);
  const save = (version: number, months: number) =>
    owner.post('/api/admin/settings', { version, contactRetention: { months } });
  expect((await save(1, 6)).status).toBe(409);
  const refused = await save(0, 2);
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { fields: { 'contactRetention.months': 'Please enter whole months from 3 to 120' } },
  ]);
});

test('an order that changes after it was found keeps its contact', async () => {
  const id = await order();
  await ownerSql`update ledger.order_summary set updated_at = updated_at - interval '3 years' where order_id = ${id}::uuid`;
  expect((await readDueContacts(appSql, undefined, inMonths(-24))).due).toEqual([id]);
  expect(await expireIn(0)).toBe(0);
  expect(await contacts()).toContain(id);
});

test('the first erasures are due a week after the upgrade', async () => {
  expect(await takeDueExpiry(appSql)).toBe(false);
  const [job] = await ownerSql<{ seconds: number }[]>`
    select extract(epoch from due_at - clock_timestamp())::int as seconds
    from ledger.job where name = 'expire-contacts'`;
  expect(job?.seconds).toBeGreaterThan(6.9 * 24 * 3600);
  expect(await takeDueExpiry(appSql)).toBe(false);
  await ownerSql`update ledger.job set due_at = clock_timestamp() where name = 'expire-contacts'`;
  expect(await takeDueExpiry(appSql)).toBe(true);
});
