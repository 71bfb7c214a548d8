import { randomUUID } from 'node:crypto';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { quietly } from '@kilim/lab/testing/quietly';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttentionAnswer } from '../../../contract/attention.ts';
import type { Intake } from '../../../contract/intake.ts';
import type { IntakeRequest } from '../../../contract/intake-request.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql, { sendsMails: true });
afterAll(shop.close);
await makeAdministrator(appSql);
const owner = openBrowser(shop);
beforeAll(async () => void (await owner.signIn()));
const desk = await openMailDesk(shop, { now: () => new Date('2026-11-24T13:30:00Z') });
afterAll(desk.close);
// What happened before a kind was known gets no mail.
await desk.sendAll();

const economy = { width: 66, length: 84 };
const larger = [{ width: 102, length: 126 }, economy];
let customers = 0;

async function placed() {
  customers += 1;
  const email = `customer${customers}@example.com`;
  const details = { ...twoRugs, customerInfo: { ...adaLovelace, email } };
  const quote = await quoted(shop, details);
  await paid(shop, paymentFor(quote, { orderDetails: { ...details, orderId: quote.orderId } }));
  return { orderId: quote.orderId, email };
}

async function act(orderId: string, body: IntakeRequest): Promise<Intake> {
  const answer = await owner.post(`/api/admin/orders/${orderId}/intake`, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Intake;
}

/** As if the step were older than the time in which a person undoes it. */
async function age(orderId: string, time = '3 minutes') {
  await ownerSql`
    update ledger.order_summary set updated_at = updated_at - ${time}::interval where order_id = ${orderId}::uuid`;
}

async function subjectsTo(email: string): Promise<readonly string[]> {
  await desk.sendAll();
  const mails = desk.mailbox.mails().filter((mail) => mail.to.includes(email));
  return mails.map(({ subject }) => subject.replace(/[0-9A-Z]{4}-[0-9A-Z]{4}/, 'N').replace(/ at .*/, ''));
}

function lastTextTo(email: string): string | undefined {
  return desk.mailbox.mails().findLast(({ to }) => to.includes(email))?.text;
}

test('the customer hears that the rugs are here, what is to be paid, and when they are ready', async () => {
  const { orderId, email } = await placed();
  const { measurement } = await act(orderId, { step: 'receive', sizes: larger });
  expect(await subjectsTo(email)).toEqual(['Your order N']);
  await age(orderId);
  expect((await subjectsTo(email)).at(-1)).toBe('We have your rugs: order N');
  const amount = measurement?.due ?? 0;
  const { request } = await act(orderId, { step: 'ask', measurement: 1, amount });
  expect((await subjectsTo(email)).at(-1)).toBe(`Please pay a difference of $${amount.toFixed(2)}: order N`);
  expect(lastTextTo(email)).toContain(request?.url.replace(/^.*(?=\/difference)/, ''));
  const id = request?.url.split('/').at(-1) ?? '';
  const pay = { token: 'cnon:card-nonce-ok', amount, idempotencyKey: randomUUID() };
  expect((await shop.post(`/api/differences/${id}/pay`, pay)).status).toBe(200);
  expect((await subjectsTo(email)).at(-1)).toBe('You paid the difference: order N');
  const paidMail = lastTextTo(email);
  expect(paidMail).toContain('Rug #1');
  expect(paidMail).not.toContain('Rug #2');
  await act(orderId, { step: 'ready' });
  await age(orderId);
  expect((await subjectsTo(email)).at(-1)).toBe('Your rugs are ready: order N');
  expect(await subjectsTo(email)).toHaveLength(5);
});

test('a mail about a difference says that it replaces an earlier one, unless that was paid', async () => {
  const { orderId, email } = await placed();
  const ask = async (measurement: number, width: number) => {
    const { measurement: found } = await act(orderId, { step: 'receive', sizes: [{ width, length: 120 }, economy] });
    const amount = found?.due ?? 0;
    await act(orderId, { step: 'ask', measurement, amount });
    await subjectsTo(email);
    return { amount, isReplacing: lastTextTo(email)?.includes('This replaces our earlier request.') };
  };
  expect((await ask(1, 102)).isReplacing).toBe(false);
  const { amount, isReplacing } = await ask(2, 104);
  expect(isReplacing).toBe(true);
  await act(orderId, { step: 'paid', amount, method: 'cash' });
  expect((await ask(3, 106)).isReplacing).toBe(false);
});

test('a mail about rugs that are here does not promise them while a difference is open', async () => {
  const { orderId, email } = await placed();
  const { measurement } = await act(orderId, { step: 'receive', sizes: larger });
  await act(orderId, { step: 'ask', measurement: 1, amount: measurement?.due ?? 0 });
  // The mail that asks for the difference comes at once.
  await subjectsTo(email);
  await age(orderId);
  expect((await subjectsTo(email)).at(-1)).toBe('We have your rugs: order N');
  expect(lastTextTo(email)).toContain('We clean them when you have paid the difference');
});

test('a step that is undone at once tells the customer nothing', async () => {
  const { orderId, email } = await placed();
  await act(orderId, { step: 'receive', sizes: larger });
  await act(orderId, { step: 'undo', undoes: 'received' });
  await age(orderId);
  expect(await subjectsTo(email)).toEqual(['Your order N']);
});

test('people hear of unpaid differences, late rugs and rugs that nobody collects', async () => {
  const asked = await placed();
  const late = await placed();
  const uncollected = await placed();
  const { measurement } = await act(asked.orderId, { step: 'receive', sizes: larger });
  await act(asked.orderId, { step: 'ask', measurement: 1, amount: measurement?.due ?? 0 });
  await act(late.orderId, { step: 'receive', sizes: larger });
  await act(uncollected.orderId, { step: 'receive', sizes: larger });
  await act(uncollected.orderId, { step: 'ready' });
  const itemsOf = async () => {
    const { items } = (await (await owner.get('/api/admin/attention')).json()) as AttentionAnswer;
    const ofIntake = items.filter(({ kind }) => kind.startsWith('rugs-') || kind === 'difference-unpaid');
    return ofIntake.map(({ kind, orderId }) => [kind, orderId]);
  };
  expect(await itemsOf()).toEqual([]);
  const ages = [
    [asked, 4],
    [late, 16],
    [uncollected, 16],
  ] as const;
  for (const [{ orderId }, days] of ages)
    await quietly(
      ownerSql,
      `update ledger.event set occurred_at = occurred_at - interval '${days} days' where stream_id = 'order-${orderId}'`,
    );
  expect(await itemsOf()).toEqual([
    ['difference-unpaid', asked.orderId],
    ['rugs-late', late.orderId],
    ['rugs-uncollected', uncollected.orderId],
  ]);
});
