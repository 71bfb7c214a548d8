import {
  administrator,
  ageSession,
  alertIn,
  expect,
  expectNoAxeViolations,
  openOrder,
  openRefund,
  placeOrder,
  postTo,
  refundsAtSquare,
  signedOut,
  signInTo,
  test,
  toast,
  typeCredentials,
} from './back-office.ts';

test.describe('a signed-out administrator', () => {
  test.use({ storageState: signedOut });

  test('is refused with a wrong password, must wait after many, and signs in with the right one', {
    tag: '@core',
  }, async ({ page, shop }) => {
    await page.goto('/admin/refunds');
    await expect(page.getByRole('heading', { name: 'Admin sign in' })).toBeVisible();
    await expectNoAxeViolations(page);
    await typeCredentials(page, { ...administrator, password: 'wrong' });
    await expect(alertIn(page, 'Invalid credentials')).toBeVisible();
    await expectNoAxeViolations(page);

    for (let attempt = 0; attempt < 5; attempt += 1) {
      await postTo(shop, '/api/admin/login', { ...administrator, password: 'wrong again' });
    }
    const tooMany = alertIn(page, /^Too many attempts. Please wait (a second|\d+ seconds) and try again.$/);
    await expect(async () => {
      await typeCredentials(page, { ...administrator, password: 'wrong once more' });
      await expect(tooMany).toBeVisible({ timeout: 1000 });
    }).toPass();
    const [seconds = '1'] = /\d+/.exec((await tooMany.textContent()) ?? '') ?? [];
    await page.waitForTimeout(Number(seconds) * 1000);
    await typeCredentials(page);
    await expect(page.getByRole('heading', { name: 'All Refunds' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'All Refunds' })).toBeVisible();

    await page.route('**/api/admin/logout', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(toast(page, 'You are still signed in: the server did not answer.')).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('adminLoggedIn'))).toBeNull();
  });

  test('sees no data after setting the signed-in flag in local storage', { tag: '@desktop' }, async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('adminLoggedIn', '1'));
    await page.goto('/admin');
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(0);
    await page.route('**/api/admin/login', (route) => route.abort());
    await typeCredentials(page);
    await expect(alertIn(page, 'Authentication failed')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(administrator.username);
    await expectNoAxeViolations(page);
  });
});

test('a session that ends during a refund shows the sign-in dialog, and the refund continues afterwards', {
  tag: '@desktop',
}, async ({ browser, shop }) => {
  const { orderId } = await placeOrder(shop, 'Grace Hopper');
  const context = await browser.newContext({ storageState: await signInTo(shop) });
  const page = await context.newPage();
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await dialog.getByRole('checkbox', { name: 'Rug #2, $242.22' }).check();
  await dialog.getByRole('combobox', { name: 'Reason' }).fill('Result not satisfactory');
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Spoke on the phone');

  await shop.sql`delete from admin.session where id = (select id from admin.session order by created_at desc limit 1)`;
  await dialog.getByRole('button', { name: 'Refund $242.22' }).click();
  const login = page.getByRole('dialog', { name: 'Please sign in again' });
  await expect(login).toContainText('Everything you entered is still here');
  await expectNoAxeViolations(page);
  await typeCredentials(page);
  await expect(login).toHaveCount(0);
  await expect(dialog.getByRole('checkbox', { name: 'Rug #2, $242.22' })).toBeChecked();
  await expect(dialog.getByRole('combobox', { name: 'Reason' })).toHaveValue('Result not satisfactory');
  expect(await refundsAtSquare(shop, orderId)).toEqual([]);

  // The last password check is too old.
  await ageSession(page, shop, 660);
  await dialog.getByRole('button', { name: 'Refund $242.22' }).click();
  await expect(dialog.getByRole('heading', { name: 'Enter your password again' })).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(alertIn(dialog, 'Current password is incorrect')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(administrator.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(toast(page, 'Partial refund of $242.22 has been processed.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await refundsAtSquare(shop, orderId)).toEqual([24_222]);
  await context.close();
});

test('the office opens with few requests, and shows its frame before any script', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  await placeOrder(shop, 'Grace Hopper');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  let isHeld = true;
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await expect.poll(() => isHeld).toBe(false);
    await route.continue();
  });
  await page.goto('/admin/orders', { waitUntil: 'commit' });
  await expect(page.getByRole('tab', { name: 'Orders', selected: true })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  isHeld = false;
  await expect(page.getByRole('cell', { name: 'Grace Hopper' }).first()).toBeVisible();
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15);
});

test('a link on another site opens the office with its session', { tag: '@desktop' }, async ({ page, shop }) => {
  const elsewhere = new URL(shop.url);
  elsewhere.hostname = '127.0.0.1';
  await page.goto(elsewhere.href);
  await page.evaluate((href) => {
    const link = document.createElement('a');
    document.body.prepend(Object.assign(link, { href, textContent: 'Open the orders' }));
  }, new URL('/admin/orders', shop.officeUrl).href);
  await page.getByRole('link', { name: 'Open the orders' }).click();
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible();
});

test.describe('on a slow network', () => {
  test.use({ storageState: signedOut });

  test('credentials that are sent before the script is here are sent by it', { tag: '@desktop' }, async ({ page }) => {
    let isHeld = true;
    await page.route(/\/assets\/sign-in-/, async (route) => {
      await expect.poll(() => isHeld).toBe(false);
      await route.continue();
    });
    await page.goto('/admin/orders', { waitUntil: 'commit' });
    await typeCredentials(page);
    isHeld = false;
    await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
  });
});
