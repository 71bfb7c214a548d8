import { expect, fillCard, fillContact, fillRugs, payButton, smallRug, test } from './shop.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(page);
});

test('after a change of the cart, the checkout does not offer the old order', async ({ page }) => {
  const onward = page.getByRole('button', { name: 'Continue to payment' });
  await onward.click();
  await expect(payButton(page)).toBeVisible();
  const before = await payButton(page).innerText();
  await page.goBack();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Augusta King');
  await page.getByRole('button', { name: 'Back to Rugs' }).click();
  await page.getByRole('textbox', { name: 'Width (feet)' }).fill('40');
  await page.goForward();
  await expect(onward).toBeVisible();
  await page.goForward();
  await expect(page.getByText('Please check your cart')).toBeVisible();
  await expect(page).toHaveURL('/#cart');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Augusta King');
  await onward.click();
  await expect(payButton(page)).toBeVisible();
  expect(await payButton(page).innerText()).not.toBe(before);
});

test('a cart that is only looked at again is paid as it was quoted', async ({ page }) => {
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(payButton(page)).toBeVisible();
  const pay = await payButton(page).innerText();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible();
  await page.goForward();
  await expect(payButton(page)).toHaveText(pay);
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Width (feet)' })).toHaveValue('');
});

test('a connection that was lost at the press does not matter after it is back', async ({ page, context }) => {
  const onward = page.getByRole('button', { name: 'Continue to payment' });
  await context.setOffline(true);
  await onward.click();
  await expect(page.getByRole('alert').filter({ hasText: 'offline' })).toBeVisible();
  await context.setOffline(false);
  await onward.click();
  await expect(payButton(page)).toBeVisible();
});

test('a total that differs from the cart’s is shown as a new one', async ({ page }) => {
  await page.route('**/api/quote', async (route) => {
    const response = await route.fetch();
    const quote = (await response.json()) as { totalAmount: number; subtotal: number; rugs: { baseCost: number }[] };
    for (const rug of quote.rugs) rug.baseCost += 10;
    const [subtotal, totalAmount] = [quote.subtotal + 10, quote.totalAmount + 10];
    await route.fulfill({ response, json: { ...quote, subtotal, totalAmount } });
  });
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The price of your order has changed' });
  const pay = (await payButton(page).innerText()).replace('Pay ', '');
  await expect(alert.getByRole('row', { name: 'Total' })).toContainText(pay);
  await page.reload();
  await expect(alert.getByRole('row', { name: 'Total' })).toContainText(pay);
});

test('a cart that was paid in one tab cannot be paid in another', async ({ page, context }) => {
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(payButton(page)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/#cart');
  await expect(other.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Ada Lovelace');
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Width (feet)' })).toHaveValue('');
});
