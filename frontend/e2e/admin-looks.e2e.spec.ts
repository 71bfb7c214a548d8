import { expect, expectNoAxeViolations, openOrder, openRefund, placeOrder, test } from './back-office.ts';

test('with forced colours the current tab can be told from the others', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/admin/orders');
  await expect(page.getByRole('tab', { name: 'Orders', exact: true })).toBeVisible();
  await expectNoAxeViolations(page);
  const backgroundOf = (name: string) =>
    page.getByRole('tab', { name, exact: true }).evaluate((tab) => getComputedStyle(tab).backgroundColor);
  expect(await backgroundOf('Orders')).not.toBe(await backgroundOf('Refunds'));
  // Otherwise a plate of the canvas lies behind the text, which has the same colour.
  await expect(page.getByRole('tab', { name: 'Orders', exact: true })).toHaveCSS('forced-color-adjust', 'none');
});

test('at 400 % zoom every control of the refund dialog can be reached', { tag: '@desktop' }, async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Dorothy Vaughan');
  await page.setViewportSize({ width: 320, height: 225 });
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Partial refund' }).check();
  for (const control of [
    dialog.getByRole('checkbox', { name: 'Rug #1, $516.00' }),
    dialog.getByRole('textbox', { name: 'Amount' }),
    dialog.getByRole('textbox', { name: 'Notes' }),
    dialog.getByRole('button', { name: 'Refund', exact: true }),
  ]) {
    await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const isHit = await control.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    });
    expect(isHit, control.toString()).toBe(true);
  }
});
