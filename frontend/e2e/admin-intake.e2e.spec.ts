import type { Page } from '@playwright/test';
import {
  administrator,
  expect,
  expectNoAxeViolations,
  openOrder,
  openRefund,
  placeOrder,
  test,
  toast,
} from './back-office.ts';
import { fillCard, payButton, type Shop } from './shop.ts';

// A shop of its own: the settings and lists are those of these tests.
test.use({
  variables: {
    ADMIN_USERNAME: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    BUSINESS_NAME: 'Measured Rugs',
  },
});

const card = (page: Page) => page.getByRole('region', { name: 'Rugs in the shop' });

/** As the customer has it in her mail. */
async function receiptOf(page: Page, orderId: string): Promise<string> {
  const answer = await page.request.get(`/api/admin/orders/${orderId}`);
  const { order } = (await answer.json()) as { order: { paymentId: string } };
  return `/payment-success?payment_id=${order.paymentId}`;
}

/** @returns how often the marketing site was told of a payment */
async function countConversions(page: Page, shopUrl: string): Promise<() => number> {
  let told = 0;
  const url = `${shopUrl}/ab-conversion`;
  await page.route(url, async (route) => {
    told += 1;
    await route.fulfill({ status: 204 });
  });
  await page.route(
    ({ pathname }) => pathname === '/payment-success',
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"abConversionUrl":null', `"abConversionUrl":"${url}"`);
      await route.fulfill({ response, body });
    },
  );
  return () => told;
}

/** 8 x 10 ft premium, and 5 ft 6 in x 7 ft economy. */
async function measure(page: Page, [width, length]: readonly [string, string]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Measure the rugs of order / });
  await dialog.getByRole('textbox', { name: 'Width of rug #1' }).fill(width);
  await dialog.getByRole('textbox', { name: 'Length of rug #1' }).fill(length);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
}

/** @returns the order, and the link that its customer gets. */
async function askForLarger(page: Page, shop: Shop): Promise<{ readonly orderId: string; readonly link: string }> {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  await openOrder(page, orderId);
  await card(page).getByRole('button', { name: 'Receive rugs' }).click();
  await measure(page, ['8.6', '10.6']);
  await card(page).getByRole('button', { name: 'Ask for $59.67' }).click();
  const sms = await card(page).getByRole('link', { name: 'Text the link' }).getAttribute('href');
  expect(sms).toMatch(/^sms:\+13105550142\?&body=Measured%20Rugs/);
  const [link = ''] = /http\S+$/.exec(decodeURIComponent(sms ?? '')) ?? [];
  return { orderId, link };
}

test('a smaller rug is received, refunded and told in few taps, on a phone', { tag: '@phone' }, async ({
  page,
  shop,
}) => {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  await openOrder(page, orderId);
  await expect(card(page).getByText('The rugs are not here yet.')).toBeVisible();
  let taps = 0;
  const tap = async (name: string | RegExp) => {
    taps += 1;
    await card(page).getByRole('button', { name }).click();
  };
  await tap('Receive rugs');
  const dialog = page.getByRole('dialog', { name: /^Measure the rugs of order / });
  await expect(dialog).toContainText('Rug #1, Premium, ordered 8 × 10 ft');
  await dialog.getByRole('textbox', { name: 'Width of rug #1' }).fill('7.13');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Please enter feet, or feet and inches as 7.10')).toBeVisible();
  await expectNoAxeViolations(page);
  // Two boxes and Save.
  taps += 3;
  await measure(page, ['7.6', '9.6']);
  await expect(card(page).getByText('The rugs are here and measured.')).toBeVisible();
  await expect(card(page).getByText(/The customer gets \$56\.43 back/)).toBeVisible();
  await expectNoAxeViolations(page);
  await tap('Refund $56.43');
  await expect(toast(page, '$56.43 goes back')).toBeVisible();
  await expect(card(page).getByText('Nothing is to be paid or given back.')).toBeVisible();
  await tap('Rugs are ready');
  await expect(card(page).getByText('The rugs are ready for the customer.')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(8);
  await card(page).getByRole('button', { name: 'Undo: not ready' }).click();
  await expect(card(page).getByText('The rugs are here and measured.')).toBeVisible();
  await page.getByRole('link', { name: 'Work order to print' }).click();
  await expect(page.getByRole('main')).toContainText('8 × 10 ft7 ft 6 in × 9 ft 6 in');
  await page.getByRole('button', { name: 'Labels' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: '7 ft 6 in × 9 ft 6 inPremium' })).toBeVisible();
});

test('a larger rug is asked for, and the customer pays it on another device', { tag: '@desktop' }, async ({
  page,
  shop,
  browser,
}) => {
  const { orderId, link } = await askForLarger(page, shop);
  await expect(card(page).getByText(/The customer was asked to pay \$59\.67 by /)).toBeVisible();
  await expectNoAxeViolations(page);

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const customer = await phone.newPage();
  const receipt = `${shop.url}${await receiptOf(page, orderId)}`;
  await customer.goto(receipt);
  await expect(customer.getByText('We have received and measured your rugs.')).toBeVisible();
  await expect(customer.getByText('Bring your rugs')).toHaveCount(0);
  await expectNoAxeViolations(customer);
  await customer.getByRole('link', { name: 'Look at it and pay $59.67' }).click();
  await expect(customer).toHaveURL(link);
  await expect(customer.getByRole('heading', { name: 'We measured your rugs' })).toBeVisible();
  await expect(customer.getByText('ordered 8 × 10 ft, measured 8 ft 6 in × 10 ft 6 in')).toBeVisible();
  await expect(customer.getByText('Jackson')).toHaveCount(0);
  await fillCard(customer);
  await expectNoAxeViolations(customer);
  await payButton(customer).click();
  await expect(customer).toHaveURL(/payment-success/);
  const paid = customer.getByRole('heading', { name: 'Thank you. The difference is paid.' });
  await expect(paid).toBeVisible();
  await expect(customer.getByRole('heading', { name: 'Rug #1' })).toBeVisible();
  await expect(customer.getByRole('heading', { name: 'Rug #2' })).toHaveCount(0);
  await customer.getByRole('button', { name: 'Show' }).click();
  const number = (await customer.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-S1$/).textContent()) ?? '';
  await expect(customer.getByText(`difference for the rugs of order ${number.slice(0, -3)} is paid.`)).toBeVisible();
  await expect(customer.getByRole('region', { name: 'What happens next' })).toHaveCount(0);
  await expectNoAxeViolations(customer);
  // The marketing site is told of the order, not of its difference.
  const conversions = await countConversions(customer, shop.url);
  await customer.reload();
  await expect(paid).toBeVisible();
  await expect(customer.getByText('ending in 1111')).toBeVisible();
  expect(conversions()).toBe(0);
  await customer.goto(receipt);
  await expect.poll(conversions).toBe(1);
  await expect(customer.getByText('You paid $59.67 more because your rugs are larger.')).toBeVisible();
  await expectNoAxeViolations(customer);
  await customer.getByRole('link', { name: 'Open that receipt' }).click();
  await expect(paid).toBeVisible();
  await customer.goto(link);
  await expect(paid).toBeVisible();
  await phone.close();

  await expect(card(page).getByText(/The customer paid a difference of \$59\.67/)).toBeVisible();
  await card(page).getByRole('link', { name: number }).click();
  await expect(page.getByText('With this payment the customer paid a difference for the rugs of order')).toBeVisible();
  await expect(page.getByText('Agreed pickup')).toHaveCount(0);
  await expect(card(page)).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: number.slice(0, -3) }).click();
  await card(page).getByRole('button', { name: 'Rugs are ready' }).click();
  await card(page).getByRole('button', { name: 'Hand over' }).click();
  await expect(card(page).getByText('The customer has the rugs.')).toBeVisible();
  await page.goto('/admin/orders?stage=handed-over');
  await expect(page.getByRole('button', { name: `View order ${orderId.slice(-8)}` })).toBeVisible();
});

test('a wallet pays a difference with two taps, on the narrowest phone', { tag: '@phone' }, async ({
  page,
  shop,
  browser,
}) => {
  const { link } = await askForLarger(page, shop);
  const phone = await browser.newContext({ viewport: { width: 320, height: 568 }, hasTouch: true });
  const customer = await phone.newPage();
  const expectToFit = async () => {
    const width = await customer.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(320);
    await expectNoAxeViolations(customer);
  };
  await customer.goto(`${link}?test-wallets=google`);
  const wallet = customer.getByRole('button', { name: 'Google Pay (test)' });
  await expect(wallet).toBeVisible();
  await expectToFit();
  await wallet.tap();
  await customer.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).tap();
  await expect(customer.getByRole('heading', { name: 'Thank you. The difference is paid.' })).toBeVisible();
  await expectToFit();
  await phone.close();
});

test('a difference is waived with a reason, and a withdrawn link ends', { tag: '@desktop' }, async ({ page, shop }) => {
  const { link } = await askForLarger(page, shop);
  await card(page).getByRole('button', { name: 'Do not ask any more' }).click();
  await card(page).getByRole('button', { name: 'Do not ask for it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Do not ask for $59.67?' });
  await dialog.getByRole('button', { name: 'Do not ask for it' }).click();
  await expect(dialog.getByText('Please choose one.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Why' }).selectOption('As a favor');
  await dialog.getByRole('button', { name: 'Do not ask for it' }).click();
  await expect(card(page).getByText('$59.67 more, and the customer need not pay it.')).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Nothing is to be paid here' })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('a page whose request is replaced or withdrawn takes no money, and leads to the newer one', {
  tag: '@desktop',
}, async ({ page, shop, browser }) => {
  const { link } = await askForLarger(page, shop);
  const customer = await (await browser.newContext()).newPage();
  const expectNotCharged = async () => {
    await fillCard(customer);
    await payButton(customer).click();
    await expect(customer.getByText('Your card was not charged.')).toBeVisible();
    await expect(payButton(customer)).toHaveCount(0);
  };
  await customer.goto(link);
  await expect(payButton(customer)).toBeVisible();
  await card(page).getByRole('button', { name: 'Measure again' }).click();
  await measure(page, ['9', '11']);
  await card(page).getByRole('button', { name: 'Ask for $122.55' }).click();
  await expect(card(page).getByText(/The customer was asked to pay \$122\.55 by /)).toBeVisible();
  await expectNotCharged();
  await expectNoAxeViolations(customer);
  await customer.getByRole('link', { name: 'Look at it and pay $122.55' }).click();
  await expect(customer.getByRole('heading', { name: 'We measured your rugs' })).toBeVisible();
  await card(page).getByRole('button', { name: 'Do not ask any more' }).click();
  await expect(card(page).getByText(/The customer was asked/)).toHaveCount(0);
  await expectNotCharged();
  await expect(customer.getByRole('heading', { name: 'Nothing is to be paid here' })).toBeVisible();
  await customer.context().close();
});

test('a difference that is paid in the shop is recorded with its check, and has its place in the timeline', async ({
  page,
  shop,
  browser,
}) => {
  const { link } = await askForLarger(page, shop);
  const customer = await (await browser.newContext()).newPage();
  await customer.goto(link);
  await fillCard(customer);
  await card(page).getByRole('button', { name: 'Paid in the shop' }).click();
  const dialog = page.getByRole('dialog', { name: 'The customer paid $59.67 in the shop' });
  const number = dialog.getByRole('textbox', { name: 'Number of the check or receipt (optional)' });
  await number.fill('Mrs. Jackson');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Please choose one.')).toBeVisible();
  await expect(dialog.getByText(/^Please give only the number/)).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole('combobox', { name: 'How it was paid' }).selectOption('By check');
  await number.fill('2210');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(card(page).getByText(/^The customer paid a difference of \$59\.67 on .*, in the shop\./)).toBeVisible();
  await expect(card(page).getByText('Nothing is to be paid or given back.')).toBeVisible();
  // Her page was open before.
  await payButton(customer).click();
  await expect(customer.getByText('$59.67 was paid in the shop, by check. No card was charged online.')).toBeVisible();
  await customer.getByRole('button', { name: 'Show' }).click();
  await expect(customer.getByText('In the shop, by check', { exact: true })).toBeVisible();
  await expectNoAxeViolations(customer);
  await customer.context().close();
  const refund = await openRefund(page);
  await expect(refund).toContainText('It does not include $59.67 that the customer paid later as a difference');
  await refund.getByRole('button', { name: 'Cancel' }).click();

  await card(page).getByRole('link', { name: /-S1$/ }).click();
  await expect(page.getByText('$59.67 was paid in the shop.')).toBeVisible();
  await expect(page.getByText('$59.67 paid in the shop, by check')).toBeVisible();
  await expect(page.getByText('This was paid in the shop.', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Process Refund' })).toHaveCount(0);
  await expectNoAxeViolations(page);
});
