import { usualChart } from '@kilim/domain/accounting/chart';
import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { type MailDesk, mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paidOrder } from '@kilim/lab/testing/shop';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminSettingsAnswer } from '../../../contract/settings.ts';
import { beginMails } from '../../core/background/send-mails.ts';
import { toldTypes } from '../queries/read-told.ts';
import { resetPassword } from '../use-case/change-password.ts';

// What the owner hears of money that leaves and of ways in, and the person of the own account.

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql, { sendsMails: true });
afterAll(shop.close);
await makeAdministrator(appSql);
const cleo = { username: 'cleo', password: 'harvest pebble compass 58' };
await makePerson(appSql, cleo, 'clerk');
const [owner, clerk] = [openBrowser(shop), openBrowser(shop, cleo)];
beforeAll(async () => void (await Promise.all([owner.signIn(), clerk.signIn()])));

let desk: MailDesk;
beforeEach(async () => {
  // Before the hour of the daily summary.
  desk = await openMailDesk(shop, { now: () => new Date('2026-11-24T13:30:00Z') });
  await desk.sendAll();
  await ownerSql`delete from kilim.throttle`;
});
afterEach(() => desk.close());

/** Since the test began, without the order's own mails. */
async function mailsTo(address: string) {
  const known = new Set(desk.mailbox.mails());
  await desk.sendAll();
  return desk.mailbox
    .mails()
    .filter((mail) => !known.has(mail) && mail.to.includes(address) && !/^(New|Your) order/.test(mail.subject));
}

const subjects = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject).toSorted();

async function refund(orderId: string, amount: number) {
  const { order } = (await (await owner.get(`/api/admin/orders/${orderId}`)).json()) as {
    order: { paymentId: string };
  };
  const { paymentId } = order;
  const asked = { paymentId, amount, reason: 'Goodwill', refundType: 'partial', idempotencyKey: crypto.randomUUID() };
  expect((await clerk.post('/api/admin/refund', asked)).status).toBe(201);
}

async function saveSettings(more: object) {
  const saved = (await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  expect((await owner.post('/api/admin/settings', { version: saved.version, ...more })).status).toBe(200);
}

test('the database gathers exactly the told types', async () => {
  const [row] = await ownerSql<{ gathers: string }[]>`
    select pg_get_functiondef('ledger.gather_mails'::regproc) as gathers`;
  const typesIn = (text = '') =>
    [...new Set([...text.matchAll(/'([A-Z][a-z]\w+)'/g)].map(([, type]) => type))].toSorted();
  const toOthers = ['PaymentDeclined', 'PaymentStarted', 'PaymentVoided', 'PeriodCertified'];
  expect(typesIn(row?.gathers)).toEqual([...toldTypes, ...toOthers].toSorted());
});

test('a refund above the amount of the settings is told, with who asked for it, and no word about the customer', async () => {
  const { orderId } = await paidOrder(shop);
  await desk.sendAll();
  await refund(orderId, 200);
  expect(await mailsTo(mailRecipients.shop)).toEqual([]);
  await refund(orderId, 200.01);
  const [mail, ...more] = await mailsTo(mailRecipients.shop);
  expect(more).toEqual([]);
  expect(mail?.subject).toMatch(/^Refund: cleo clerk refunds \$200\.01 of order [0-9A-Z]{4}-[0-9A-Z]{4}\.$/);
  expect(mail?.text).toContain(`https://office.example/admin/orders/${orderId}`);
  for (const word of [...Object.values(adaLovelace), 'Goodwill']) expect(mail?.source).not.toContain(word);
  await saveSettings({ notices: { above: 50 } });
  await desk.sendAll();
  await refund(orderId, 50.01);
  expect(await subjects(mailRecipients.shop)).toEqual([expect.stringContaining('cleo clerk refunds $50.01')]);
  await saveSettings({ notices: { above: 200 } });
});

test('the person who moved the money cannot keep the mail about it back; an owner can give it up', async () => {
  const { orderId } = await paidOrder(shop);
  await desk.sendAll();
  await refund(orderId, 300);
  await beginMails(desk.world);
  const [waiting] = await ownerSql<{ about: string }[]>`
    select about from ledger.mail where kind = 'owner-notice' and state = 'open'`;
  const mail = { kind: 'owner-notice', about: waiting?.about };
  const refused = await clerk.post('/api/admin/mails/drop', mail);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'NotPermitted' }]);
  expect((await owner.post('/api/admin/mails/drop', mail)).status).toBe(204);
  expect(await mailsTo(mailRecipients.shop)).toEqual([]);
});

test('money given back in cash needs the number of a receipt, and is told', async () => {
  const { orderId } = await paidOrder(shop);
  await desk.sendAll();
  const paidOn = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles' }).format(new Date());
  const asked = { amount: 300, method: 'cash', paidOn, reason: 'Goodwill', idempotencyKey: crypto.randomUUID() };
  const path = `/api/admin/orders/${orderId}/reimbursements`;
  const refused = await clerk.post(path, asked);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({
    fields: { reference: 'Please give the number of the receipt that the customer has signed' },
  });
  expect((await clerk.post(path, { ...asked, reference: 'R-17' })).status).toBe(201);
  const [mail] = (await mailsTo(mailRecipients.shop)).filter(({ subject }) => subject.startsWith('Reimbursement'));
  expect(mail?.subject).toMatch(/^Reimbursement: cleo clerk gave \$300\.00 back in cash, of order /);
});

test('raised limits and changed prices are told with the old and the new value', async () => {
  const { refundLimits } = (await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  await saveSettings({ refundLimits: { ...refundLimits, clerk: { ...refundLimits.clerk, perRefund: 1200 } } });
  await saveSettings({ tierPrices: { premium: 0.01, midrange: 3.9, economy: 2 } });
  await saveSettings({ terms: 'Be kind.' });
  const mails = await mailsTo(mailRecipients.shop);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Limits on refunds: ada changed the limits on refunds.',
    'Prices and tax: ada changed prices, tax or the amount for these mails.',
  ]);
  const texts = mails.map(({ text }) => text).join('\n');
  expect(texts).toContain('- Limit of clerks for one refund: $500.00 → $1,200.00');
  expect(texts).toMatch(/- Premium price per sq ft: \$\d\.\d\d → \$0\.01/);
});

test('renamed accounts of the books are told', async () => {
  const { accounts, taxRate } = usualChart;
  const { version } = (await (await owner.get('/api/admin/books')).json()) as { version: number };
  const chart = { version, accounts: { ...accounts, bank: { name: 'My own account', code: '1999' } }, taxRate };
  expect((await owner.post('/api/admin/books/accounts', chart)).status).toBe(200);
  const [mail] = await mailsTo(mailRecipients.shop);
  expect(mail?.subject).toBe('Accounts in the books: ada changed names of accounts.');
  expect(mail?.text).toContain('- Checking (1010) → My own account (1999)');
});

test('an invitation, a role, an enabled account, a link, a reset factor or password and a new browser are told to the shop', async () => {
  const invitation = { username: 'ben', displayName: 'Ben Roe', role: 'clerk', email: 'ben@example.com' };
  expect((await owner.post('/api/admin/people', invitation)).status).toBe(201);
  expect((await owner.post('/api/admin/people/cleo/reset-second-factor', {})).status).toBe(204);
  expect((await owner.post('/api/admin/people/cleo/link', {})).status).toBe(201);
  expect((await owner.post('/api/admin/people/ben/role', { role: 'owner' })).status).toBe(204);
  for (const what of ['disable', 'enable']) {
    expect((await owner.post(`/api/admin/people/ben/${what}`, {})).status).toBe(204);
  }
  await resetPassword(shop.world, { username: 'cleo', password: 'velvet anchor meadow 72' });
  await openBrowser(shop, ada).signIn();
  expect(await subjects(mailRecipients.shop)).toEqual([
    'Account of Ben Roe (ben): Account enabled, by ada.',
    'Account of Ben Roe (ben): Invited as clerk, by ada.',
    'Account of Ben Roe (ben): Role changed from clerk to owner, by ada.',
    'Account of ada: Signed in with the password in a new browser.',
    'Account of cleo clerk (cleo): All second factors removed; 1 session ended, by ada.',
    'Account of cleo clerk (cleo): Got a link for a new password, by ada.',
    'Account of cleo clerk (cleo): Password reset, by a command on the server.',
  ]);
});

test('a person is told of a link and of a new password, also at the address before a change', async () => {
  const dora = { username: 'dora', password: 'quarry lantern thimble 31' };
  await makePerson(appSql, dora, 'clerk');
  const browser = openBrowser(shop, dora);
  await browser.signIn();
  expect(await (await browser.get('/api/admin/account/email')).json()).toEqual({ email: null });
  expect((await browser.post('/api/admin/account/email', { email: 'dora at home' })).status).toBe(422);
  expect((await browser.post('/api/admin/account/email', { email: 'dora@example.com' })).status).toBe(204);
  expect(await (await browser.get('/api/admin/account/email')).json()).toEqual({ email: 'dora@example.com' });
  await desk.sendAll();
  await owner.post('/api/admin/people/dora/link', {});
  const [mail, ...more] = await mailsTo('dora@example.com');
  expect(more).toEqual([]);
  expect(mail?.text).toContain('Your account “dora”: Got a link for a new password, by ada.');
  // A thief who changes the address twice does not silence the first one.
  for (const email of ['thief@example.com', null]) await browser.post('/api/admin/account/email', { email });
  await owner.post('/api/admin/people/dora/reset-second-factor', {});
  const removed = 'Your account “dora”: Removed the email address to which messages about the account go.';
  expect((await mailsTo('dora@example.com')).map(({ text }) => text).join()).toContain(removed);
  await ownerSql`update admin.account set email_changed_at = email_changed_at - interval '8 days'`;
  await owner.post('/api/admin/people/dora/link', {});
  expect(await mailsTo('dora@example.com')).toEqual([]);
});

test('a sign-in name that is an email address is where the mails go, unless another one is given', async () => {
  const emailOf = async (username: string) =>
    (await ownerSql`select email from admin.account where username = ${username}`)[0]?.['email'] as unknown;
  const invite = (more: object) => owner.post('/api/admin/people', { displayName: 'Eve Roe', role: 'clerk', ...more });
  await invite({ username: 'eve@example.com' });
  await invite({ username: 'finn@example.com', email: 'finn@home.example' });
  await invite({ username: 'gus' });
  expect(await emailOf('eve@example.com')).toBe('eve@example.com');
  expect(await emailOf('finn@example.com')).toBe('finn@home.example');
  expect(await emailOf('gus')).toBeNull();
});
