import { expect, expectNoAxeViolations, openOrder, placeOrder, test, toast } from './back-office.ts';

test('an email that cannot be delivered needs attention, and is sent again or given up', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Hedy Lamarr', { email: 'mail-unknown@example.com' });
  const confirmation = () => shop.sql`
    select state, failure from ledger.mail where kind = 'order-confirmation' and about = ${orderId}`;
  await expect.poll(confirmation).toEqual([{ state: 'parked', failure: '550 5.1.1 RCPT' }]);
  await page.goto('/admin');
  const item = page
    .getByRole('list', { name: 'Needs you' })
    .getByRole('listitem')
    .filter({ hasText: 'An email waits for a decision' });
  await expect(item).toContainText('The confirmation of this order: the mail server knows no such address');
  await expectNoAxeViolations(page);
  await item.getByRole('button', { name: 'Send again' }).click();
  await expect(toast(page, 'The email is sent again')).toBeVisible();
  await expect(item).toBeVisible();

  await openOrder(page, orderId);
  const mails = page.getByRole('list', { name: 'Emails' });
  await expect(mails.getByRole('listitem').filter({ hasText: 'Order confirmation' })).toContainText('Not delivered');
  await expect(mails).toContainText('The mail server said 550 5.1.1 RCPT.');
  await expectNoAxeViolations(page);
  await page.goto('/admin');
  await item.getByRole('button', { name: 'Not needed' }).click();
  await expect(toast(page, 'The email is given up')).toBeVisible();
  await expect(item).toHaveCount(0);
});

test('a confirmation leads to the receipt, and can be sent again', { tag: ['@desktop', '@core'] }, async ({
  page,
  shop,
}) => {
  const { orderId } = await placeOrder(shop, 'Annie Easley', { email: 'annie@example.com' });
  const arrived = async () => {
    const mails = (await (await fetch(`${shop.mailboxUrl}/mails`)).json()) as readonly {
      readonly number: number;
      readonly to: readonly string[];
    }[];
    return mails.filter(({ to }) => to.includes('annie@example.com'));
  };
  await expect.poll(async () => (await arrived()).length).toBe(1);
  const [mail] = await arrived();
  await page.goto(`${shop.mailboxUrl}/mails/${mail?.number}/html`);
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Open your receipt' }).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await openOrder(page, orderId);
  const mails = page.getByRole('list', { name: 'Emails' });
  await expect(mails.getByRole('listitem').filter({ hasText: 'Order confirmation' })).toContainText('Sent');
  const again = mails.getByRole('button', { name: 'Send again: Order confirmation' });
  await again.click();
  await expect.poll(async () => (await arrived()).length).toBe(2);
  await page.getByRole('button', { name: 'Erase contact details' }).click();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await expect(again).toHaveCount(0);
  await expect(mails.getByRole('listitem').filter({ hasText: 'Order confirmation' })).toContainText('Sent');
});
