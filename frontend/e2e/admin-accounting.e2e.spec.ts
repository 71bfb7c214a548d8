import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Books } from '@kilim/bff/contract/books';
import { exportFormats } from '@kilim/bff/contract/exports';
import {
  administrator,
  ageSession,
  ensureMonth,
  expect,
  expectNoAxeViolations,
  signInTo,
  test,
} from './back-office.ts';
import { failUntilPressed } from './press.ts';

test('an accountant views a month’s contents, downloads it, closes it, and names accounts', { tag: '@core' }, async ({
  page,
  shop,
}) => {
  await ensureMonth(shop);
  await page.goto('/admin/accounting?from=2026-10-01&to=2026-10-31');
  await expect(page.getByRole('heading', { name: /^Oct 1, 2026 to Oct 31, 2026/ })).toContainText(
    'Open: may still change',
  );
  const exports = page.getByRole('region', { name: 'Exports' });
  await expect(exports.getByRole('term').filter({ hasText: 'Orders paid' })).toBeVisible();
  await expect(exports).toContainText('Card refunds (1)');
  await expect(exports).toContainText('$234.99');
  await expectNoAxeViolations(page);

  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Daily takings' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('kilim-takings-2026-10-01-to-2026-10-31.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  const row = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'Daily takings' });
  await expect(row.getByRole('cell').nth(1)).toHaveText(String(lines.length - 1));

  const closed = page.getByRole('region', { name: 'Closed periods' });
  await closed.getByLabel('Close everything through').fill('2026-10-31');
  await closed.getByRole('button', { name: 'Close through Oct 31, 2026' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close through Oct 31, 2026?' });
  await expect(dialog).toContainText('Only an owner can reopen them');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Close through Oct 31, 2026' }).click();
  await expect(closed.getByRole('listitem').first()).toContainText('Through Oct 31, 2026');
  await expect(page.getByRole('heading', { name: /^Oct 1, 2026 to/ })).toContainText('Closed: never changes');

  await page.getByText('Show and change').click();
  const clearing = page.getByRole('textbox', { name: 'Square clearing, QuickBooks name' });
  await clearing.fill('Checking');
  await expect(clearing).toHaveAccessibleDescription(/The bank account is for payouts only/);
  await expect(page.getByRole('button', { name: 'Save names' })).toBeDisabled();
  await expectNoAxeViolations(page);
  await clearing.fill('Bank:Square');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Save names' }).click();
  await expect(page.getByText('The names are saved')).toBeVisible();
  await page.reload();
  await page.getByText('Show and change').click();
  await expect(page.getByRole('textbox', { name: 'Square clearing, QuickBooks name' })).toHaveValue('Bank:Square');
});

test('a closing has a checklist before it, a certificate after it, and can be reopened', async ({ page, shop }) => {
  await ensureMonth(shop);
  await shop.sql`delete from ledger.finding where name = 'server-check'`;
  await page.goto('/admin/accounting');
  const closed = page.getByRole('region', { name: 'Closed periods' });
  await closed.getByLabel('Close everything through').fill('2099-12-31');
  await expect(closed).toContainText('A day can be closed when it is over');
  await closed.getByLabel('Close everything through').fill('2026-11-02');
  const checklist = closed.getByRole('table', { name: 'Checklist' });
  const verified = checklist.getByRole('row').filter({ hasText: 'Checked for changes' });
  await expect(verified).toContainText('Open');
  await expectNoAxeViolations(page);
  await verified.getByRole('button', { name: 'Check now' }).click();
  // No server wrote the facts of the month.
  await expect(verified).toContainText(/The last check found \d faults/);
  await shop.sql`delete from ledger.finding where name = 'server-check'`;
  await closed.getByRole('button', { name: 'Close through Nov 2, 2026' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close through Nov 2, 2026?' });
  await expect(dialog).toContainText('The certificate will name');
  await dialog.getByRole('button', { name: 'Close through Nov 2, 2026' }).press('Enter');
  await expect(closed.getByRole('heading', { name: 'Closed periods' })).toBeFocused();
  const latest = closed.getByRole('listitem').first();
  await latest.getByRole('link', { name: 'Certificate, closed through Nov 2, 2026' }).click();
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('In force');
  await expect(sheet.getByRole('table', { name: 'Journal by account' }).getByRole('row').last()).toContainText('$');
  const links = sheet.getByRole('table', { name: 'Files' }).getByRole('link');
  await expect(links).toHaveCount(exportFormats.length);
  for (const link of await links.all()) {
    const name = await link.innerText();
    const file = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(file.headers()['content-disposition']).toContain(`"${name}"`);
    const row = sheet.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await expect(row).toContainText(hash('sha256', await file.body(), 'hex'));
  }
  await expectNoAxeViolations(page);
  await expect(page.getByRole('navigation', { name: 'Pages of Money' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download JSON' }).click();
  expect((await started).suggestedFilename()).toMatch(/^kilim-certificate-.*-to-2026-11-02-\d+\.json$/);

  const takings = sheet.getByRole('link', { name: /^kilim-takings-/ });
  const fileName = await takings.innerText();
  const content = await (await page.request.get((await takings.getAttribute('href')) ?? '')).body();

  await page.getByRole('link', { name: 'Back to accounting' }).click();
  await latest.getByRole('button', { name: 'Check files, closed through Nov 2, 2026' }).press('Enter');
  const checking = page.getByRole('dialog', { name: 'Are these files of the certificate through Nov 2, 2026?' });
  const uploads: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && uploads.push(request.url()));
  await checking.getByLabel('Files to check').setInputFiles([
    { name: 'renamed.csv', mimeType: 'text/csv', buffer: content },
    { name: fileName, mimeType: 'text/csv', buffer: Buffer.concat([content, Buffer.from('0')]) },
    { name: fileName, mimeType: 'text/csv', buffer: Buffer.of() },
    { name: 'kilim-takings-2026-08-01-to-2026-08-31.csv', mimeType: 'text/csv', buffer: Buffer.from('august') },
  ]);
  await expect(checking.getByRole('status').first()).toContainText('1 of 4 files is of this certificate, unchanged.');
  await expect(checking.getByRole('listitem')).toHaveText([
    `Unchanged renamed.csvIt is ${fileName} of this certificate.`,
    /^Changed kilim-takings-/,
    /^Empty kilim-takings-/,
    /^Another period .*Its name says Aug 1, 2026 to Aug 31, 2026/,
  ]);
  expect(uploads).toEqual([]);
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(checking).toHaveCount(0);

  await latest.getByRole('button', { name: 'Reopen (closed through Nov 2, 2026)' }).click();
  const reopening = page.getByRole('dialog', { name: 'Reopen the days through Nov 2, 2026?' });
  await reopening.getByLabel('Reason').selectOption('The wrong day was closed');
  await expectNoAxeViolations(page);
  await reopening.getByRole('button', { name: 'Reopen' }).press('Enter');
  await expect(closed.getByRole('heading', { name: 'Closed periods' })).toBeFocused();
  await expect(latest).toContainText('Superseded');
  await expect(latest).toContainText('The wrong day was closed');
  await latest.getByRole('link', { name: 'Certificate, closed through Nov 2, 2026' }).click();
  await expect(sheet).toContainText('This certificate is superseded');
  await expect(links).toHaveCount(0);

  // As if it had been reopened before its certificate was made.
  await page.route('**/api/admin/books', async (route) => {
    const answer = await route.fetch();
    const { closings, ...books } = (await answer.json()) as Books;
    await route.fulfill({ json: { ...books, closings: closings.map((each) => ({ ...each, certified: false })) } });
  });
  await page.goto('/admin/accounting');
  await expect(latest).toContainText('The days were reopened before the certificate was made.');
  await expect(latest.getByRole('link')).toHaveCount(0);
});

test('a period without events has a message, and a failed count can be retried', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.goto('/admin/accounting?from=2001-01-01&to=2001-01-31');
  await expect(page.getByText('Nothing happened in these days.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download / })).toHaveCount(0);
  const retry = await failUntilPressed(page, {
    patterns: ['**/api/admin/ledger/contents*'],
    fail: (route) => route.abort(),
  });
  await page.getByRole('button', { name: 'Last quarter' }).click();
  await expect(page.getByText('What these days contain could not be counted')).toBeVisible();
  await expectNoAxeViolations(page);
  await retry(page.getByRole('button', { name: 'Try again' }));
  await expect(page.getByRole('heading', { name: /2026 to/ })).toBeVisible();
  await expect(page).toHaveURL(/from=2\d{3}-\d\d-01&to=/);
});

test('an export token is shown once, opens the exports, and is revoked on the password page', {
  tag: '@desktop',
}, async ({ page, shop }) => {
  await page.context().setStorageState(await signInTo(shop));
  // The password is asked for again after an hour.
  await ageSession(page, shop, 3600);
  await page.goto('/admin/accounting');
  // Content that loads later would move the button away during the press.
  await page.waitForLoadState('networkidle');
  const tokens = page.getByRole('region', { name: 'Export tokens' });
  await tokens.getByText('Show and create tokens').press('Enter');
  const name = `Spreadsheet ${crypto.randomUUID().slice(0, 8)}`;
  await tokens.getByRole('textbox', { name: 'Name of the new token' }).fill(name);
  await tokens.getByRole('combobox', { name: 'Valid for' }).selectOption('One year');
  await tokens.getByRole('button', { name: 'Create token' }).click();
  const again = page.getByRole('dialog', { name: 'Your password, please' });
  await again.getByLabel('Password').fill(administrator.password);
  await again.getByRole('button', { name: 'Continue' }).click();
  const token = (await tokens.locator('code').textContent()) ?? '';
  expect(token).toMatch(/^kilim_export_[\w-]{43}$/);
  await expectNoAxeViolations(page);

  const fetchTakings = () =>
    fetch(`${shop.officeUrl}/api/admin/ledger/export?format=takings-csv&from=2026-10-01&to=2026-10-31`, {
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await (await fetchTakings()).text()).trimEnd().split('\r\n').length).toBe(32);
  await page.reload();
  await tokens.getByText('Show and create tokens').press('Enter');
  await expect(tokens.locator('code')).toHaveCount(0);
  const listed = tokens.getByRole('listitem').filter({ hasText: name });
  await expect(listed).toContainText('last used');

  await page.goto('/admin/password');
  const own = page.getByRole('region', { name: 'Your export tokens that still work' });
  await expect(own.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  await expectNoAxeViolations(page);
  await own.getByRole('button', { name: `Revoke ${name}` }).click();
  await expect(own.getByText(name)).toHaveCount(0);
  await page.goto('/admin/accounting');
  await tokens.getByText('Show and create tokens').press('Enter');
  await expect(listed).toContainText('Revoked');
  expect((await fetchTakings()).status).toBe(401);
});
