import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderDetailAnswer } from '../../../../contract/orders.ts';
import { lastSeconds } from '../../background/background-work.ts';
import { reconcile } from '../../background/reconcile.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const alma = { username: 'alma', password: 'harvest pebble compass 58' };
await makePerson(appSql, alma, 'accountant');
const [owner, accountant] = [openBrowser(shop, ada), openBrowser(shop, alma)];
beforeAll(async () => void (await Promise.all([owner.signIn(), accountant.signIn()])));

async function placed(contact: Partial<typeof adaLovelace> = {}): Promise<string> {
  const request = { ...twoRugs, customerInfo: { ...adaLovelace, ...contact } };
  const quote = await quoted(shop, request);
  await paid(shop, paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId } }));
  return quote.orderId;
}

async function detailOf(orderId: string, person = owner): Promise<OrderDetailAnswer> {
  return (await (await person.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
}

test('a note is shown with its author; a deleted one leaves who wrote and who deleted it; the ledger has neither', async () => {
  const orderId = await placed();
  const events = async () => (await ownerSql`select count(*)::int as count from ledger.event`)[0]?.['count'] as number;
  const before = await events();
  // A character that turns the direction of text is left out.
  for (const text of ['Called \u202eabout the stain\u0007', ' Wants it back on Friday ']) {
    expect((await owner.post(`/api/admin/orders/${orderId}/notes`, { text })).status).toBe(204);
  }
  const { notes } = await detailOf(orderId);
  expect(notes).toMatchObject([
    { text: 'Wants it back on Friday', by: 'ada' },
    { text: 'Called about the stain', by: 'ada' },
  ]);
  expect(await events()).toBe(before);
  const path = `/api/admin/orders/${orderId}/notes/${notes[0]?.id}`;
  const init = { method: 'DELETE', headers: { 'content-type': 'application/json' } };
  expect((await owner.send(path, init)).status).toBe(204);
  expect((await owner.send(path, init)).status).toBe(404);
  expect((await detailOf(orderId)).notes).toEqual([
    { id: notes[0]?.id, text: null, by: 'ada', at: notes[0]?.at, deleted: { by: 'ada', at: expect.any(String) } },
    expect.objectContaining({ text: 'Called about the stain', deleted: null }),
  ]);
  const stored = await ownerSql`select text from ledger.order_note where id = ${notes[0]?.id ?? 0}`;
  expect(stored).toEqual([{ text: null }]);
  expect((await owner.post(`/api/admin/orders/${orderId}/notes`, { text: '  ' })).status).toBe(422);
});

test('notes go with the contact, and people without contacts see none', async () => {
  const orderId = await placed();
  await owner.post(`/api/admin/orders/${orderId}/notes`, { text: 'Ada is on holiday' });
  expect((await detailOf(orderId, accountant)).notes).toEqual([]);
  expect((await accountant.post(`/api/admin/orders/${orderId}/notes`, { text: 'Mine' })).status).toBe(403);
  await owner.post(`/api/admin/orders/${orderId}/erase-contact`, {});
  expect((await detailOf(orderId)).notes).toEqual([]);
  expect(await ownerSql`select id from ledger.order_note where order_id = ${orderId}::uuid`).toEqual([]);
});

test('an order names the other orders of its customer', async () => {
  const contact = { email: 'grace.hopper@example.org', phone: '2125550187' };
  const first = await placed(contact);
  const sameEmail = await placed({ ...contact, email: 'Grace.Hopper@example.org', phone: '2125550188' });
  const samePhone = await placed({ ...contact, email: 'hopper@example.org' });
  await placed({ email: 'grace.hopper.junior@example.org', phone: '2125550189' });
  const others = async (orderId: string) => (await detailOf(orderId)).otherOrders.map(({ _id }) => _id);
  expect(await others(first)).toEqual([samePhone, sameEmail]);
  expect(await others(sameEmail)).toEqual([first]);
  expect((await detailOf(first, accountant)).otherOrders).toEqual([]);
});

test('another order is told as in the list, with its dispute', async () => {
  const contact = { email: 'katherine.johnson@example.org', phone: '2125550190' };
  const [first, disputed] = [await placed(contact), await placed(contact)];
  const [payment] = await ownerSql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary where order_id = ${disputed}::uuid`;
  await shop.square.openDispute(payment?.id ?? '');
  await reconcile(shop.world, lastSeconds(new Date(), 24 * 60 * 60));
  const listed = await (await owner.get(`/api/admin/orders?search=${disputed}`)).json();
  expect(listed).toMatchObject([{ _id: disputed, disputeStatus: 'open' }]);
  expect((await detailOf(first)).otherOrders).toEqual(listed);
});

test.each(['0000000000', '5555555555', '1234567890', '9990000000'])('%s joins no strangers', async (phone) => {
  const first = await placed({ email: `one-${phone}@example.org`, phone });
  await placed({ email: `two-${phone}@example.org`, phone });
  expect((await detailOf(first)).otherOrders).toEqual([]);
});
