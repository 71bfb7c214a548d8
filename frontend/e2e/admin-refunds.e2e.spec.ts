import type { Locator, Page } from '@playwright/test';
import {
  administrator,
  alertIn,
  expect,
  expectNoAxeViolations,
  openOrder,
  openRefund,
  placeLargeOrder,
  placeOrder,
  refundsAtSquare,
  signedOut,
  test,
  toast,
} from './back-office.ts';

test.beforeEach(async ({ shop }) => {
  await shop.square.clearFaults();
  await shop.square.change({ refundSettlesAfterMs: 0 });
});

async function giveReason(dialog: Locator, reason = 'Customer request'): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Reason' }).fill(reason);
}

test('one rug is refunded, then the rest; the limit is told while an amount is typed', {
  tag: '@core',
}, async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Dorothy Vaughan');
  await openOrder(page, orderId);
  let dialog = await openRefund(page);
  await expect(dialog.getByText('Remaining refundable: $758.22')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).not.toBeEditable();
  await expectNoAxeViolations(page);
  // Without a reason, the button leads to its field.
  await dialog.getByRole('button', { name: 'Refund $758.22' }).click();
  const reason = dialog.getByRole('combobox', { name: 'Reason' });
  await expect(reason).toBeFocused();
  await expect(reason).toBeInViewport({ ratio: 1 });
  await expect(reason).toHaveAccessibleDescription(/Please give a reason\.$/);
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);

  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await expect(dialog).toContainText('Each rug includes its part of delivery and sales tax.');
  // Only refundable amounts are offered, and every mistake is shown at its field.
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(toast(page, 'Missing Information')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveAccessibleDescription('Please enter an amount.');
  await expect(reason).toHaveAccessibleDescription(/Please give a reason\.$/);
  await dialog.getByRole('checkbox', { name: 'Rug #1, $516.00' }).check();
  await dialog.getByRole('checkbox', { name: 'Rug #2, $242.22' }).check();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('758.22');
  await dialog.getByRole('checkbox', { name: 'Rug #1, $516.00' }).uncheck();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('242.22');
  const split = dialog.getByRole('region', { name: 'This refund is for' });
  await expect(split).toContainText('Services$75.08Add-ons$134.75Delivery$19.25Sales Tax$13.14');
  await giveReason(dialog);
  await expectNoAxeViolations(page);
  await expect(dialog.getByRole('button', { name: 'Refund $242.22' })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Refund $242.22' }).click();
  await expect(toast(page, 'Refund Successful')).toBeVisible();
  await expect(toast(page, 'Partial refund of $242.22 has been processed.')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  const history = page.getByRole('region', { name: 'Refund History' });
  await expect(history).toContainText('$242.22 Refund');
  for (const text of ['Completed', 'Partial Refund', 'Customer request', 'Rug #2: $242.22', 'ada']) {
    await expect(history).toContainText(text);
  }
  const detail = page.getByRole('region', { name: 'Order Details' });
  await expect(detail).toContainText('Partially Refunded');
  await expect(page.getByRole('list', { name: 'Order timeline' })).toContainText('242.22');
  await expectNoAxeViolations(page);

  dialog = await openRefund(page);
  await expect(dialog.getByText('Remaining refundable: $516.00')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await expect(dialog.getByRole('checkbox', { name: 'Rug #2, $0.00' })).toBeDisabled();
  const amount = dialog.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toHaveAccessibleDescription('At most $516.00.');
  await giveReason(dialog);
  await amount.fill('516.01');
  await expect(amount).toHaveAccessibleDescription('Invalid Amount: at most $516.00 can be refunded.');
  await expect(dialog.getByRole('button', { name: 'Refund', exact: true })).toBeDisabled();
  await expectNoAxeViolations(page);
  await amount.fill('516.00');
  await expect(amount).toHaveAccessibleDescription('At most $516.00.');
  await dialog.getByRole('radio', { name: 'Full refund' }).check();
  await dialog.getByRole('button', { name: 'Refund $516.00' }).click();
  await expect(toast(page, 'Full refund of $516.00 has been processed.')).toBeVisible();
  await expect(detail).toContainText('Fully Refunded');
  await expect(detail).toContainText('This order has already been fully refunded.');
  await expectNoAxeViolations(page);

  // A sentence replaces the button.
  await expect(page.getByRole('button', { name: 'Process Refund' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeFocused();
  expect(await refundsAtSquare(shop, orderId)).toEqual([24_222, 51_600]);
});

test('one rug is refunded with at most five taps from the page of the order', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Mary Cartwright');
  await openOrder(page, orderId);
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    addEventListener('pointerdown', () => (dataset['taps'] = String(Number(dataset['taps'] ?? 0) + 1)), true);
  });
  const dialog = await openRefund(page);
  await dialog.getByText('Partial refund').click();
  await dialog.getByText('Rug #2, $242.22').click();
  await dialog.getByText('Goodwill', { exact: true }).click();
  await expect(dialog.getByRole('combobox', { name: 'Reason' })).toHaveValue('Goodwill');
  await dialog.getByRole('button', { name: 'Refund $242.22 to Visa 1111' }).click();
  await expect(toast(page, 'Partial refund of $242.22 has been processed.')).toBeVisible();
  const taps = Number(await page.locator('html').getAttribute('data-taps'));
  expect(taps).toBeGreaterThan(0);
  expect(taps).toBeLessThanOrEqual(5);
  expect(await refundsAtSquare(shop, orderId)).toEqual([24_222]);
});

test('beside the sheet the rugs stay in reach; of thirty rugs five are shown', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  const { orderId } = await placeLargeOrder(shop, 'Thirty Rugs', 30);
  await page.setViewportSize({ width: 1280, height: 900 });
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await page.mouse.move(300, 500);
  await page.mouse.wheel(0, 600);
  const rugs = page.getByRole('region', { name: 'Rugs', exact: true, includeHidden: true });
  await expect(rugs).toBeInViewport();
  const [sheet, card] = await Promise.all([dialog.boundingBox(), rugs.boundingBox()]);
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(sheet?.x ?? 0);
  const amount = dialog.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toBeInViewport();
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await expect(dialog.getByRole('checkbox', { name: /^Rug #/ })).toHaveCount(5);
  await dialog.getByRole('button', { name: 'Show all 30 rugs' }).click();
  await dialog.getByRole('checkbox', { name: /^Rug #30,/ }).check();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Show fewer rugs' }).click();
  await expect(dialog.getByRole('checkbox', { name: /^Rug #30,/ })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: /^Rug #/ })).toHaveCount(6);
  await dialog.getByRole('checkbox', { name: /^Included delivery, / }).check();
  await expect(amount).toHaveValue(/^\d+\.\d\d$/);
});

test('a charge is chosen with the keyboard, and goes back with its own sales tax', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Katherine Johnson');
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  const more = dialog.getByRole('button', { name: 'Charges of Rug #2' });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  const charges = dialog.getByRole('group', { name: 'Charges of Rug #2' });
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Tab');
  await expect(charges.getByRole('checkbox', { name: 'Green Pad, $134.75 and $13.14 tax' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('147.89');
  await expect(charges.getByRole('checkbox', { name: 'Sales Tax, $13.14' })).toBeDisabled();
  const rug = dialog.getByRole('checkbox', { name: 'Rug #2, $242.22' });
  await expect(rug).toHaveAccessibleDescription('5 ft 6 in × 7 ft, Economy');
  await expect(rug).toBeChecked({ indeterminate: true });
  const split = dialog.getByRole('region', { name: 'This refund is for' });
  await expect(split).toHaveText('This refund is forAdd-ons$134.75Sales Tax$13.14');
  await giveReason(dialog);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Refund $147.89' }).click();
  await expect(toast(page, 'Partial refund of $147.89 has been processed.')).toBeVisible();
  const history = page.getByRole('region', { name: 'Refund History' });
  await expect(history).toContainText('Rug #2: $147.89');
  await expect(history).toContainText('Add-ons $134.75, Sales Tax $13.14');
});

test('what money was for is said when it is given back outside Square, and corrected later', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  await openOrder(page, orderId);
  await page.getByRole('button', { name: 'I paid it back myself' }).click();
  let dialog = page.getByRole('dialog', { name: 'I paid it back myself' });
  await dialog.getByRole('checkbox', { name: 'Rug #1, $516.00' }).check();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('516.00');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('50');
  await expect(dialog.getByRole('region', { name: 'This refund is for' })).not.toContainText('Sales Tax');
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Goodwill');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Record $50.00' }).click();
  await expect(toast(page, '$50.00 counts as refunded.')).toBeVisible();

  const history = page.getByRole('region', { name: 'Refund History' });
  await expect(history).toContainText('Services $46.12, Delivery $3.88');
  await history.getByRole('button', { name: 'Correct What It Was For' }).click();
  dialog = page.getByRole('dialog', { name: 'What was this refund for?' });
  await expect(dialog.getByRole('button', { name: 'Correct', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Charges of Rug #2' }).click();
  await dialog.getByRole('checkbox', { name: /^Green Pad/ }).check();
  await expect(dialog.getByRole('region', { name: 'This refund is for' })).toContainText('Add-ons$45.56Sales Tax$4.44');
  await expectNoAxeViolations(page);
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Chosen by mistake');
  await dialog.getByRole('button', { name: 'Correct', exact: true }).click();
  await expect(toast(page, 'The refund is corrected')).toBeVisible();
  await expect(history).toContainText('Add-ons $45.56, Sales Tax $4.44');
  await expect(page.getByRole('list', { name: 'Order timeline' })).toContainText(
    'What the refund of $50.00 was for was correctedChosen by mistake',
  );
  await expectNoAxeViolations(page);
});

test('after another administrator’s refund, the rest is updated, and no refund exceeds the total', {
  tag: '@desktop',
}, async ({ browser, page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  await openOrder(page, orderId);
  // Otherwise the page may learn of the other refund before the press.
  await page.route('**/api/admin/changes', (route) => route.abort());
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('600');
  await giveReason(dialog);

  const context = await browser.newContext();
  const other = await context.newPage();
  await openOrder(other, orderId);
  const otherDialog = await openRefund(other);
  await otherDialog.getByRole('radio', { name: 'Partial refund' }).check();
  await otherDialog.getByRole('checkbox', { name: 'Rug #1, $516.00' }).check();
  await giveReason(otherDialog);
  await otherDialog.getByRole('button', { name: 'Refund $516.00' }).click();
  await expect(otherDialog).toHaveCount(0);
  await context.close();

  await dialog.getByRole('button', { name: 'Refund $600.00' }).click();
  const refusal = alertIn(dialog, '$600.00 is more than can still be refunded: $242.22.');
  await expect(refusal).toContainText('Refund Failed');
  await expect(refusal).toBeInViewport();
  await expect(dialog.getByText('Remaining refundable: $242.22')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('600');
  await expectNoAxeViolations(page);
  expect(await refundsAtSquare(shop, orderId)).toEqual([51_600]);
});

test('the page shows without a reload that a pending refund has failed', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  const { orderId } = await placeOrder(shop, 'Annie Easley', { card: 'refundsPend' });
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await giveReason(dialog, 'Delay');
  await dialog.getByRole('button', { name: 'Refund $758.22' }).click();
  await expect(dialog.getByText('The refund of $758.22 is on its way')).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  const detail = page.getByRole('region', { name: 'Order Details' });
  await expect(detail).toContainText('Refund Pending');
  await expect(detail).toContainText('A refund of everything that was left of this order is under way.');
  const history = page.getByRole('region', { name: 'Refund History' });
  await expect(history).toContainText('Pending');
  await expectNoAxeViolations(page);

  const pending = (await shop.square.refunds()).find(({ refund }) => refund.status === 'PENDING');
  await shop.square.settleRefund(pending?.refund.id ?? '', 'FAILED');
  await expect(history).toContainText('Failed');
  await expect(history).toContainText('The customer did not get this money.');
  await expect(detail).toContainText('Refund failed');
  await expect(alertIn(detail, 'The $758.22 refund did not reach the customer.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('tab', { name: 'Refunds' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
  const card = page.getByRole('article').filter({ hasText: orderId.slice(-8) });
  for (const text of ['$758.22 Refund', 'Failed', 'Full Refund', 'Delay']) await expect(card).toContainText(text);
  await expectNoAxeViolations(page);
});

test('after a lost answer the page polls for the outcome, and the money is refunded once', {
  tag: '@desktop',
}, async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Evelyn Boyd');
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await giveReason(dialog);
  let lost = 0;
  await page.route('**/api/admin/refund', async (route) => {
    await route.fetch();
    lost += 1;
    // After a reload, nothing waits for this response, and `abort` rejects.
    await route.abort().catch(() => undefined);
  });
  await dialog.getByRole('button', { name: 'Refund $758.22' }).click();
  await expect(alertIn(dialog, 'We are finding out whether this refund was made')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  // After a reload, the dialog still waits for the outcome.
  page.on('dialog', (question) => void question.accept());
  await page.reload();
  await openRefund(page);
  await expect(alertIn(dialog, 'We are finding out whether this refund was made')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(toast(page, 'Full refund of $758.22 has been processed.')).toBeVisible();
  expect(lost).toBeGreaterThan(0);
  expect(await refundsAtSquare(shop, orderId)).toEqual([75_822]);
});

test('while Square fails, the dialog stays as it was sent, and says what is not known', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  const { orderId } = await placeOrder(shop, 'Mary Golda Ross');
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await giveReason(dialog);
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/admin/refund', async (route) => {
    const response = await route.fetch();
    await answered.promise;
    await route.fulfill({ response });
  });
  await shop.square.setFault({ kind: 'status', path: '/v2/refunds', status: 500, times: 100 });
  await dialog.getByRole('button', { name: 'Refund $758.22' }).click();
  await expect(page.getByRole('region', { name: 'Order Details', includeHidden: true })).toContainText(
    'Refund Pending',
  );
  await expect(dialog).toContainText('Remaining refundable: $758.22');
  await expect(dialog).not.toContainText('Refund Not Allowed');
  answered.resolve();
  await expect(dialog).toContainText('Square has not confirmed the refund of $758.22 yet');
  await expectNoAxeViolations(page);
  await shop.square.clearFaults();
  await expect(toast(page, 'Full refund of $758.22 has been processed.')).toBeVisible();
  expect(await refundsAtSquare(shop, orderId)).toEqual([75_822]);
});

/** Expects it in the viewport. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isReached = () => target.evaluate((element) => element === document.activeElement);
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if (!(await isReached())) continue;
    await expect(target).toBeInViewport();
    return;
  }
  throw new Error(`${target.toString()} is not reached by Tab`);
}

test.describe('without a pointer', () => {
  test.use({ storageState: signedOut });

  test('an administrator signs in, finds an order and refunds one rug with the keyboard only', {
    tag: '@desktop',
  }, async ({ page, shop }) => {
    const { orderId } = await placeOrder(shop, 'Creola Katherine Coleman');
    await page.goto('/admin/orders');
    await tabTo(page, page.getByRole('textbox', { name: 'Username' }));
    await page.keyboard.type(administrator.username);
    await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
    await page.keyboard.type(administrator.password);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('searchbox', { name: 'Search orders' }));
    await page.keyboard.type('creola cole');
    await expect(page.getByText('Showing 1-1 of 1 orders')).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: `View order ${orderId.slice(-8)}` }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Process Refund' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Process Refund' });
    await expect(dialog.getByRole('radio', { name: 'Full refund' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByRole('radio', { name: 'Partial refund' })).toBeChecked();
    await tabTo(page, dialog.getByRole('checkbox', { name: 'Rug #1, $516.00' }));
    await page.keyboard.press('Space');
    await tabTo(page, dialog.getByRole('combobox', { name: 'Reason' }));
    await page.keyboard.type('Goodwill');
    await tabTo(page, dialog.getByRole('button', { name: 'Refund $516.00' }));
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Partial refund of $516.00 has been processed.')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Process Refund' })).toBeFocused();
    expect(await refundsAtSquare(shop, orderId)).toEqual([51_600]);
    // One stop for Tab; arrow keys move between tabs.
    await tabTo(page, page.getByRole('tab', { name: 'Orders' }), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'All Refunds' })).toBeVisible();
  });
});
