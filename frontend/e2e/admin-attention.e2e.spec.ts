import { expect, expectNoAxeViolations, openOrder, openRefund, placeOrder, test, toast } from './back-office.ts';

test('a failed refund needs attention, is reimbursed by check, and leaves the list', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Katherine Johnson', { card: 'refundsFail' });
  await openOrder(page, orderId);
  const refund = await openRefund(page);
  await refund.getByRole('combobox', { name: 'Reason' }).fill('Customer request');
  await refund.getByRole('button', { name: 'Refund $758.22' }).click();
  await expect(page.getByText('A refund of $758.22 failed, and the customer still waits for the money')).toBeVisible();
  await page.goto('/admin');
  await expect(page.getByRole('tab', { name: /^Overview, \d+ needs? attention$/ })).toBeVisible();
  const item = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: '$758.22' });
  await expect(item).toContainText('A refund of $758.22 failed');
  await expectNoAxeViolations(page);
  await page.goto('/admin/orders?status=failed');
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Refund failed');
  await page.goBack();
  await item.getByRole('link', { name: /^Open order/ }).click();

  await page.getByRole('button', { name: 'Record a reimbursement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a reimbursement' });
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
  await expect(toast(page, 'Reimbursement Recorded')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Order Details' })).toContainText('Fully Refunded');
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('Paid by check');
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('No. 1042');
  await expect(page.getByRole('list', { name: 'Order timeline' })).toContainText('$758.22 given back by check');
  await expectNoAxeViolations(page);
  await page.goto('/admin/accounting');
  await page.getByRole('button', { name: 'This month' }).click();
  const figures = page.getByRole('region', { name: 'Exports' });
  await expect(figures).toContainText('Card refunds (');
  await expect(figures).toContainText('Reimbursements outside Square (');
  await page.goto('/admin');
  // Other tests of this server may leave other work.
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible();
  await expect(item).toHaveCount(0);
});

test('Escape asks before it discards a refund', { tag: '@desktop' }, async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('The fringe is torn.');
  page.once('dialog', (question) => question.dismiss());
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('textbox', { name: 'Notes' })).toHaveValue('The fringe is torn.');
  page.once('dialog', (question) => question.accept());
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await openRefund(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});
