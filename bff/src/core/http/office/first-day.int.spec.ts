import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import type { FirstDayAnswer } from '../../../../contract/first-day.ts';
import type { AdminSettingsAnswer, SettingsHistory } from '../../../../contract/settings.ts';
import { forgetOldMails } from '../../mail/outbox.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql, { shopMail: mailRecipients.shop });
afterAll(shop.close);
await makeAdministrator(appSql);
const people = ['clerk', 'accountant'] as const;
for (const role of people) await makePerson(appSql, { username: role, password: 'copper lantern orchard 12' }, role);
const owner = openBrowser(shop);
await owner.signIn();

async function firstDay(browser = owner): Promise<FirstDayAnswer> {
  const answer = await browser.get('/api/admin/first-day');
  expect(answer.status).toBe(200);
  return (await answer.json()) as FirstDayAnswer;
}

const doneSteps = async () => (await firstDay()).steps.filter(({ isDone }) => isDone).map(({ step }) => step);

const version = async () => ((await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer).version;

async function save(changes: object) {
  const answer = await owner.post('/api/admin/settings', { version: await version(), ...changes });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return ((await answer.json()) as AdminSettingsAnswer).firstDay;
}

test('nine steps, done by what the shop did or by what its owner said', async () => {
  const begun = await firstDay();
  expect(begun.steps).toHaveLength(9);
  expect(begun).toMatchObject({ isHidden: false, mailTo: mailRecipients.shop, isMailWaiting: false });
  expect(begun.shopUrl).toBe('http://kilim.test');
  expect(await doneSteps()).toEqual(['password']);

  await save({ terms: '<p>Be kind.</p>' });
  expect(await doneSteps()).toEqual(['password', 'terms']);
  expect(await save({ firstDay: { settled: ['tax', 'prices', 'tax'], isHidden: false } })).toEqual({
    settled: ['prices', 'tax'],
    isHidden: false,
  });
  expect(await doneSteps()).toEqual(['password', 'prices', 'tax', 'terms']);
  await paid(shop, paymentFor(await quoted(shop)));
  expect(await doneSteps()).toContain('order');
  await save({ firstDay: { settled: ['prices', 'tax'], isHidden: true } });
  expect((await firstDay()).isHidden).toBe(true);

  const history = (await (await owner.get('/api/admin/settings/history')).json()) as SettingsHistory;
  expect(history.slice(0, 2).map(({ changes }) => changes)).toEqual([
    ['First day: list hidden'],
    ['First day, right as it is: added “Prices”, added “Sales tax”'],
  ]);
});

test('the mail is done when it was sent, and still after old mails are forgotten', async () => {
  expect((await owner.post('/api/admin/first-day/mail', {})).status).toBe(202);
  expect(await firstDay()).toMatchObject({ isMailWaiting: true });
  expect(await doneSteps()).not.toContain('mail');
  const desk = await openMailDesk(shop);
  try {
    await desk.sendAll();
    const [mail, ...others] = desk.mailbox.mails().filter(({ subject }) => subject.includes('your mails arrive'));
    expect(others).toEqual([]);
    expect(mail?.to).toEqual([mailRecipients.shop]);
  } finally {
    await desk.close();
  }
  await ownerSql`update ledger.mail set settled_at = settled_at - interval '100 days' where kind = 'test-mail'`;
  await forgetOldMails(appSql);
  expect(await firstDay()).toMatchObject({ isMailWaiting: false });
  expect(await doneSteps()).toContain('mail');
});

test('without an address for the shop the answer says who can help', async () => {
  const other = await openShop(appSql);
  try {
    const browser = openBrowser(other);
    await browser.signIn();
    expect(await firstDay(browser)).toMatchObject({ mailTo: null });
    const answer = await browser.post('/api/admin/first-day/mail', {});
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'NoShopMail' }]);
  } finally {
    await other.close();
  }
});

test('only owners see it, steps that no owner can settle are refused, and customers learn nothing of it', async () => {
  for (const username of people) {
    const browser = openBrowser(shop, { username, password: 'copper lantern orchard 12' });
    await browser.signIn();
    expect((await browser.get('/api/admin/first-day')).status).toBe(403);
    expect((await browser.post('/api/admin/first-day/mail', {})).status).toBe(403);
  }
  for (const settled of [['order'], ['password'], 'all']) {
    const answer = await owner.post('/api/admin/settings', {
      version: await version(),
      firstDay: { settled, isHidden: false },
    });
    expect(answer.status).toBe(422);
  }
  expect(await (await shop.get('/api/settings')).text()).not.toMatch(/firstDay|settled/);
});
