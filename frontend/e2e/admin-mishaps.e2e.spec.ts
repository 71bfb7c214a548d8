import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSimulator } from '@kilim/lab/square/simulator-client';
import { startChildServer } from '@kilim/lab/testing/child-server';
import { freePort } from '@kilim/lab/testing/free-port';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import {
  administrator,
  expect,
  expectNoAxeViolations,
  openOrder,
  openRefund,
  placeLargeOrder,
  placeOrder,
  refundsAtSquare,
  signInTo,
  test,
  toast,
  typeCredentials,
} from './back-office.ts';
import { databaseServer } from './database-server.ts';

// Two presses, two windows, a slow network, a session that ends, a server that stops.

test('two presses store a note once, and what is typed while it is saved is not lost', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Annie Easley');
  await openOrder(page, orderId);
  const notes = page.getByRole('region', { name: 'Notes' });
  const answered = Promise.withResolvers<void>();
  await page.route('**/notes', async (route) => {
    await answered.promise;
    await route.continue();
  });
  const box = notes.getByRole('textbox', { name: 'New note' });
  await box.fill('Called: the stain is wine.');
  await notes.getByRole('button', { name: 'Save note' }).dblclick();
  await box.focus();
  await page.keyboard.type('Lost');
  answered.resolve();
  await expect(notes.getByRole('listitem')).toHaveCount(1);
  await expect(box).toHaveValue('');
  expect(await shop.sql`select text from ledger.order_note where order_id = ${orderId}::uuid`).toEqual([
    { text: 'Called: the stain is wine.' },
  ]);
  await box.fill('x'.repeat(2_001));
  await expect(notes).toContainText('The box is full with 2,000 characters.');
});

test('two presses refund once, and another window shows what is left', async ({ page, context, shop }) => {
  const { orderId } = await placeOrder(shop, 'Christine Darden');
  const other = await context.newPage();
  await openOrder(other, orderId);
  const inOther = await openRefund(other);
  await inOther.getByRole('radio', { name: 'Partial refund' }).check();
  await inOther.getByRole('textbox', { name: 'Amount' }).fill('700');
  await expect(inOther.getByRole('button', { name: 'Refund $700.00' })).toBeVisible();

  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await dialog.getByRole('checkbox', { name: 'Rug #2, $242.22' }).check();
  await dialog.getByRole('combobox', { name: 'Reason' }).fill('Goodwill');
  await dialog.getByRole('button', { name: 'Refund $242.22' }).dblclick();
  await expect(toast(page, 'Partial refund of $242.22 has been processed.')).toBeVisible();
  expect(await refundsAtSquare(shop, orderId)).toEqual([24_222]);
  await expect(inOther.getByText('Remaining refundable: $516.00')).toBeVisible();
  await expect(inOther.getByRole('button', { name: 'Refund $700.00' })).toHaveCount(0);
  await expect(inOther.getByRole('textbox', { name: 'Amount' })).toHaveValue('700');
});

test('the back button asks before it discards a note, a refund or a reimbursement', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Melba Mouton');
  await page.goto('/admin/orders');
  await page.getByRole('button', { name: `View order ${orderId.slice(-8)}` }).click();
  const asked = (accept: boolean) =>
    new Promise<string>((resolve) => {
      page.once('dialog', (question) => {
        resolve(question.message());
        void (accept ? question.accept() : question.dismiss());
      });
    });
  const box = page.getByRole('region', { name: 'Notes' }).getByRole('textbox', { name: 'New note' });
  await box.fill('Called');
  let question = asked(false);
  await page.evaluate(() => history.back());
  expect(await question).toBe('Discard the note that you have written?');
  await expect(box).toHaveValue('Called');
  await box.fill('');
  await page.getByRole('button', { name: 'I paid it back myself' }).click();
  await page.getByRole('textbox', { name: 'Number of the check or transfer' }).fill('1042');
  question = asked(false);
  await page.evaluate(() => history.back());
  expect(await question).toBe('Discard what you have entered about the money that you paid back?');
  question = asked(true);
  await page.keyboard.press('Escape');
  await question;
  const dialog = await openRefund(page);
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Fringe');
  question = asked(true);
  await page.evaluate(() => history.back());
  expect(await question).toBe('Discard what you have entered for this refund?');
  await expect(page).toHaveURL(/\/admin\/orders$/);
  await expect(page.getByRole('button', { name: `View order ${orderId.slice(-8)}` })).toBeFocused();
});

test('Back to Orders leads to the list, with its filters, also from another order and its work order', async ({
  page,
  shop,
}) => {
  const first = await placeOrder(shop, 'Kathryn Peddrew');
  const { orderId } = await placeOrder(shop, 'Kathryn Peddrew');
  await page.goto('/admin/orders?search=Peddrew');
  await page.getByRole('button', { name: `View order ${orderId.slice(-8)}` }).click();
  const others = page.getByRole('region', { name: 'Other orders with this email or phone' });
  await others.locator(`a[href$="${first.orderId}"]`).click();
  await expect(page.getByRole('region', { name: 'More' })).toContainText(first.orderId);
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeFocused();
  await page.getByRole('link', { name: 'Work order to print' }).click();
  await page.getByRole('link', { name: 'Back to the order' }).click();
  await page.getByRole('button', { name: 'Back to Orders' }).click();
  await expect(page).toHaveURL(/\/admin\/orders\?search=Peddrew$/);
  await expect(page.getByRole('button', { name: `View order ${first.orderId.slice(-8)}` })).toBeFocused();
  await page.getByRole('tab', { name: 'Refunds' }).click();
  await page.goBack();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'All Refunds' })).toBeVisible();
});

test('a session that ends while a note is written keeps the note', async ({ browser, shop }) => {
  const { orderId } = await placeOrder(shop, 'Mary Golda Ross');
  const context = await browser.newContext({ storageState: await signInTo(shop) });
  const page = await context.newPage();
  await openOrder(page, orderId);
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByRole('textbox', { name: 'New note' }).fill('Called twice.');
  await shop.sql`delete from admin.session where id = (select id from admin.session order by created_at desc limit 1)`;
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Please sign in again' })).toBeVisible();
  await typeCredentials(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(notes.getByRole('textbox', { name: 'New note' })).toHaveValue('Called twice.');
  await notes.getByRole('button', { name: 'Save note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('Called twice.');
  await context.close();
});

test('an unattended page does not keep its session alive, and goes on showing changes until it ends', async ({
  page,
  shop,
}) => {
  await page.clock.install();
  await page.goto('/admin/orders');
  await expect(page.getByRole('table', { name: 'Recent Orders' }).or(page.getByText('No orders yet'))).toBeVisible();
  const unattended = () =>
    page.waitForRequest('**/api/admin/changes').then(async (request) => (await request.allHeaders())['x-unattended']);
  let asked = unattended();
  await page.clock.runFor(6_000);
  expect(await asked).toBeUndefined();
  await page.clock.runFor(70_000);
  asked = unattended();
  await page.clock.runFor(6_000);
  expect(await asked).toBe('1');
  await placeOrder(shop, 'Valerie Thomas');
  await page.clock.runFor(6_000);
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Valerie Thomas');
  await page.keyboard.press('Shift');
  asked = unattended();
  await page.clock.runFor(6_000);
  expect(await asked).toBeUndefined();

  // An ended token counts against the network, so it is not sent again and again.
  await shop.sql`delete from admin.session where id = (select id from admin.session order by created_at desc limit 1)`;
  await page.clock.runFor(6_000);
  await expect(page.getByRole('dialog', { name: 'Please sign in again' })).toBeVisible();
  // The dialog may be drawn just before the effect that stops asking.
  await page.clock.runFor(6_000);
  let requests = 0;
  page.on('request', (request) => (requests += request.url().endsWith('/api/admin/changes') ? 1 : 0));
  await page.clock.runFor(30_000);
  expect(requests).toBe(0);
});

test('an order of fifty rugs and an order without a contact have complete pages', async ({ page, shop }) => {
  const { orderId } = await placeLargeOrder(shop, 'Roxanne Shante', 50);
  await openOrder(page, orderId);
  await expect(page.getByRole('table', { name: 'Rugs' }).getByRole('row')).toHaveCount(51);
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await dialog.getByRole('button', { name: 'Show all 50 rugs' }).click();
  await dialog.getByRole('checkbox', { name: /^Rug #50,/ }).check();
  await expect(dialog.getByRole('button', { name: /^Refund \$\d/ })).toBeInViewport();
  await expectNoAxeViolations(page);
  await dialog.getByRole('radio', { name: 'Full refund' }).check();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Erase contact details' }).click();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await expect(toast(page, 'Contact Details Erased')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Order Details' })).toContainText('$');
  await page.getByRole('link', { name: 'Work order to print' }).click();
  await expect(page.getByRole('heading', { name: /^Work order/ })).toBeVisible();
  await page.goto(`/admin/orders?search=${orderId}`);
  await expect(page.getByRole('table', { name: 'Recent Orders' }).getByRole('row').nth(1)).toContainText('50');
  await expectNoAxeViolations(page);
});

test('the office says that the database does not answer, and opens by itself afterwards', async ({ page }) => {
  // As the server answers then: the page without its first data.
  await page.route('**/admin/orders', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/<script[^>]* id="kilim-office">.*?<\/script>/, '');
    await route.fulfill({ response, body });
  });
  await page.route('**/api/admin/**', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/admin/orders');
  await expect(page.getByRole('alert')).toContainText('could not be loaded');
  await expectNoAxeViolations(page);
  await page.unroute('**/api/admin/**');
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toBeVisible();
});

test('a page notices that its server stops, and loads again by itself after its start', { tag: '@desktop' }, async ({
  browser,
}) => {
  const database = await cloneDatabase(databaseServer());
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-e2e-'));
  const variables = {
    ...{ ADMIN_USERNAME: administrator.username, ADMIN_PASSWORD: administrator.password },
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir },
    ...{ PORT: String(await freePort()), OFFICE_PORT: String(await freePort()) },
  };
  const first = await startChildServer(variables);
  const shop = { ...first, demoUrl: '', mailboxUrl: '', square: connectSimulator(''), sql: database.ownerSql };
  const context = await browser.newContext({ storageState: await signInTo(shop), baseURL: first.officeUrl });
  const page = await context.newPage();
  await Promise.all([
    page.waitForResponse(/\/assets\/money-page.*\.js$/),
    page.goto('/admin/orders').then(() => expect(page.getByText('No orders yet')).toBeVisible()),
  ]);
  // All pages' scripts are loaded ahead.
  await page.waitForLoadState('networkidle');
  await first.stop();
  const notice = page.getByText('The server does not answer.');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();
  // The notice says it once.
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole('tab', { name: 'Money' }).click();
  await expect(page.getByRole('heading', { name: 'On its way to your bank' })).toBeVisible();
  await expect(page.getByText('could not be loaded')).toHaveCount(0);

  const second = await startChildServer(variables);
  await expect(notice).toHaveCount(0);
  await expect(page.getByText('Square has not sent you anything yet.')).toBeVisible();
  await context.close();
  await second.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
