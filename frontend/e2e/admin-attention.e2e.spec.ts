import type { Page } from '@playwright/test';
import {
  alertIn,
  expect,
  expectNoAxeViolations,
  openOrder,
  openRefund,
  placeOrder,
  test,
  toast,
} from './back-office.ts';
import type { Shop } from './shop.ts';

/** @returns its line on the page Today. */
async function failRefund(page: Page, shop: Shop, name: string) {
  const { orderId } = await placeOrder(shop, name, { card: 'refundsFail' });
  await openOrder(page, orderId);
  const refund = await openRefund(page);
  await refund.getByRole('combobox', { name: 'Reason' }).fill('Customer request');
  await refund.getByRole('button', { name: 'Refund $758.22' }).click();
  await expect(alertIn(page, 'did not reach the customer')).toBeVisible();
  await page.goto('/admin/today');
  const list = page.getByRole('list', { name: 'Needs you' });
  const item = list.getByRole('listitem').filter({ has: page.locator(`a[href$="${orderId}"]`) });
  return { orderId, item };
}

test('a failed refund leaves the list by what really happened', async ({ page, shop }) => {
  const { orderId, item } = await failRefund(page, shop, 'Emmy Noether');
  await item.getByRole('button', { name: 'Not owed any more' }).click();
  const dialog = page.getByRole('dialog', { name: 'Has the customer got the $758.22?' });
  await expect(dialog.getByRole('radio')).toHaveCount(5);
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Save answer' })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'It is no longer owed' }).check();
  await dialog.getByRole('button', { name: 'Save answer' }).click();
  await expect(dialog.getByText('Please choose a reason.')).toBeVisible();
  await expect(dialog.getByText('Please write what happened.')).toBeVisible();
  await expectNoAxeViolations(page);
  page.once('dialog', (question) => question.dismiss());
  await page.keyboard.press('Escape');
  await dialog.getByRole('combobox', { name: 'Why is it no longer owed?' }).selectOption('Agreed with the customer');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Took a new cleaning instead.');
  await dialog.getByRole('button', { name: 'Save answer' }).click();
  await expect(item).toHaveCount(0);
  await openOrder(page, orderId);
  await expect(page.getByRole('region', { name: 'Notes' }).getByRole('listitem')).toContainText(
    'The failed refund of $758.22 is no longer owed: Took a new cleaning instead.',
  );
  await expect(alertIn(page, 'did not reach the customer')).toHaveCount(0);
});

test('money that was given back by transfer is recorded on the order', { tag: '@desktop' }, async ({ page, shop }) => {
  const { orderId, item } = await failRefund(page, shop, 'Hypatia');
  await item.getByRole('button', { name: 'Not owed any more' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await item.getByRole('button', { name: 'Not owed any more' }).click();
  await page.getByRole('radio', { name: 'Yes, by bank transfer' }).check();
  await page.getByRole('button', { name: 'Go on to record it' }).click();
  const dialog = page.getByRole('dialog', { name: 'I paid it back myself' });
  await expect(dialog.getByRole('radio', { name: 'Bank transfer' })).toBeChecked();
  await expect(page).toHaveURL(new RegExp(`/admin/orders/${orderId}$`));
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Goodwill');
  await page.route('**/reimbursements', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const reference = dialog.getByRole('textbox', { name: 'Number of the check or transfer' });
  await reference.press('Enter');
  await expect(dialog).toContainText('Please try again: it is recorded only once.');
  // It was disabled for a moment.
  await expect(reference).toBeFocused();
  // The page behind knows already that nothing is left.
  await expect(page.getByRole('region', { name: 'Order Details' })).toContainText('Fully Refunded');
  await page.unroute('**/reimbursements');
  await dialog.getByRole('button', { name: 'Record $758.22' }).click();
  await expect(toast(page, '$758.22 counts as refunded.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('Paid by bank transfer');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a failed refund needs attention, is reimbursed by check, and leaves the list', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Katherine Johnson', { card: 'refundsFail' });
  await openOrder(page, orderId);
  const refund = await openRefund(page);
  await refund.getByRole('combobox', { name: 'Reason' }).fill('Customer request');
  await refund.getByRole('button', { name: 'Refund $758.22' }).click();
  // Told once, with one instruction and one button.
  const failed = alertIn(page, 'The $758.22 refund did not reach the customer.');
  await expect(failed).toContainText('Square takes no more refunds of this payment. Pay it by check, cash or transfer');
  await expect(failed.getByRole('button')).toHaveText(['I paid it back myself']);
  await expect(refund).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Process Refund|paid it back/ })).toHaveCount(1);
  await expect(page.getByText(/check, cash or transfer/)).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Order Details' })).not.toContainText('No Refunds');
  await expectNoAxeViolations(page);
  await page.goto('/admin');
  await expect(page.getByRole('tab', { name: /^Today, \d+ needs? attention$/ })).toBeVisible();
  const item = page.getByRole('list', { name: 'Needs you' }).getByRole('listitem').filter({ hasText: '$758.22' });
  await expect(item).toContainText('The $758.22 refund did not reach the customer');
  await expect(item).toContainText(/Since [A-Z][a-z]{2} \d+, .* Refund it again if the order offers it\./);
  await expectNoAxeViolations(page);
  await page.goto('/admin/orders?status=failed');
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Refund failed');
  await page.goBack();
  await item.getByRole('link', { name: /^Order / }).click();

  await page.getByRole('button', { name: 'I paid it back myself' }).click();
  const dialog = page.getByRole('dialog', { name: 'I paid it back myself' });
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('758.22');
  await expectNoAxeViolations(page);
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('800');
  await dialog.getByRole('textbox', { name: 'Number of the check or transfer' }).fill('for Katherine');
  await dialog.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(dialog.getByText('The amount must be between $0.01 and the remaining $758.22.')).toBeVisible();
  await expect(dialog.getByText('Please choose a reason.')).toBeVisible();
  // Escape asks before it throws typed text away.
  page.once('dialog', (question) => question.dismiss());
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('758.22');
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Result not satisfactory');
  await dialog.getByRole('button', { name: 'Record $758.22' }).click();
  await expect(dialog.getByText('Please give the number of the check, transfer or receipt')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Number of the check or transfer' }).fill('No. 1042');
  await dialog.getByRole('button', { name: 'Record $758.22' }).click();
  await expect(toast(page, '$758.22 counts as refunded.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Order Details' })).toContainText('Fully Refunded');
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('Paid by check');
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('No. 1042');
  // No person chose a partial refund.
  await expect(page.getByRole('region', { name: 'Refund History' })).not.toContainText('Partial Refund');
  await expect(page.getByRole('list', { name: 'Order timeline' })).toContainText('$758.22 given back by check');
  await expectNoAxeViolations(page);
  await page.goto('/admin/accounting');
  await page.getByRole('button', { name: 'This month' }).click();
  const figures = page.getByRole('region', { name: 'Exports' });
  await expect(figures).toContainText('Card refunds (');
  await expect(figures).toContainText('Reimbursements outside Square (');
  await page.goto('/admin');
  // Other tests of this server may leave other work.
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  await expect(item).toHaveCount(0);
});

test('Escape and Cancel ask before they discard a refund', { tag: '@desktop' }, async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('The fringe is torn.');
  page.once('dialog', (question) => question.dismiss());
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('textbox', { name: 'Notes' })).toHaveValue('The fringe is torn.');
  page.once('dialog', (question) => question.dismiss());
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Notes' })).toHaveValue('The fringe is torn.');
  page.once('dialog', (question) => question.accept());
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await openRefund(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});
