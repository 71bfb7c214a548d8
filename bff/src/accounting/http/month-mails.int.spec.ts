import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, expect, test } from 'vitest';
import type { MonthMails } from '../../../contract/month-mails.ts';

const { appSql } = await testDatabase();
const shop = await openShop(appSql, { accountant: mailRecipients.accountant });
afterAll(shop.close);
await makeAdministrator(appSql);
const ben = { username: 'ben', password: 'copper lantern orchard 12' };
await makePerson(appSql, ben, 'clerk');
const owner = openBrowser(shop);
const clerk = openBrowser(shop, ben);
await Promise.all([owner.signIn(), clerk.signIn()]);
await appendFacts(appSql, workedMonth);
await settled(appSql);

const send = (month: string, program: string, browser = owner) =>
  browser.post('/api/admin/month-mails', { month, program });
const listed = async () => (await (await owner.get('/api/admin/month-mails')).json()) as MonthMails;
const october = 'from=2026-10-01&to=2026-10-31';

test('a month is mailed with the same files as its exports, and the list says so', async () => {
  expect(await listed()).toEqual({ to: mailRecipients.accountant, mails: [] });
  expect((await send('2026-10', 'quickbooks')).status).toBe(202);
  expect((await listed()).mails).toMatchObject([{ month: '2026-10', program: 'quickbooks', state: 'waiting' }]);
  const desk = await openMailDesk(shop, { recipients: { ...mailRecipients, shop: undefined } });
  try {
    await desk.sendAll();
    const mails = desk.mailbox.mails().filter(({ subject }) => subject.includes('October 2026'));
    expect(mails).toHaveLength(1);
    const [mail] = mails;
    expect(mail?.to).toEqual([mailRecipients.accountant]);
    expect(mail?.subject).toMatch(/: the books of October 2026 for QuickBooks$/);
    for (const [format, file] of [
      ['quickbooks-csv', 'kilim-quickbooks-2026-10-01-to-2026-10-31.csv'],
      ['sales-tax-return-csv', 'kilim-sales-tax-return-2026-10-01-to-2026-10-31.csv'],
      ['payouts-csv', 'kilim-payouts-2026-10-01-to-2026-10-31.csv'],
    ]) {
      const attached = mail?.attachments.find(({ fileName }) => fileName === file);
      const exported = await (await owner.get(`/api/admin/ledger/export?format=${format}&${october}`)).text();
      expect(attached?.content.replace('\uFEFF', ''), file).toBe(exported);
    }
    expect((await listed()).mails).toMatchObject([{ state: 'sent' }]);
    // A second press sends it again.
    expect((await send('2026-10', 'xero')).status).toBe(202);
    await desk.sendAll();
    expect((await listed()).mails.map(({ program }) => program)).toEqual(['xero', 'quickbooks']);
  } finally {
    await desk.close();
  }
});

test('only a month that is over, and only by people who may export', async () => {
  for (const month of ['2090-01', '2026-13', 'October']) expect((await send(month, 'xero')).status, month).toBe(422);
  expect((await send('2026-10', 'paper')).status).toBe(422);
  expect((await send('2026-10', 'xero', clerk)).status).toBe(403);
});

test('without an accountant the answer says who can help', async () => {
  const other = await openShop(appSql);
  try {
    const browser = openBrowser(other);
    await browser.signIn();
    const answer = await browser.post('/api/admin/month-mails', { month: '2026-10', program: 'xero' });
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'NoAccountant' }]);
    expect(await (await browser.get('/api/admin/month-mails')).json()).toMatchObject({ to: null });
  } finally {
    await other.close();
  }
});
