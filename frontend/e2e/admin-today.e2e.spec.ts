import { type Day, dayAfter } from '@kilim/domain/day';
import { formatWeekday } from '@kilim/domain/format-day';
import type { Page } from '@playwright/test';
import { administrator, expect, expectNoAxeViolations, openOrder, placeOrder, test, toast } from './back-office.ts';

// A shop of its own: the lists show twenty rows, and other tests place many orders.
test.use({
  variables: {
    ADMIN_USERNAME: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    BUSINESS_NAME: 'Morning Rugs',
  },
});

/** In the shop. */
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles' }).format(new Date()) as Day;

const rowOf = (page: Page, list: string | RegExp, name: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: name });

async function agree(page: Page, day: Day, time: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Pickup of order / });
  await dialog.getByRole('combobox', { name: 'Pickup day' }).selectOption(formatWeekday(day));
  await dialog.getByRole('combobox', { name: 'Time' }).selectOption(time);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Save pickup day' }).click();
  await expect(dialog).toHaveCount(0);
}

test('a clerk calls from the phone and agrees: the pickup moves to today', { tag: '@phone' }, async ({
  page,
  shop,
}) => {
  const name = 'Dorothy Vaughan';
  const wished = dayAfter(today());
  const { orderId, paymentId } = await placeOrder(shop, name, { pickupDay: wished });
  await page.goto('/admin');
  const waiting = rowOf(page, 'To call', name);
  await expect(waiting).toContainText(`2 rugs`);
  await expect(waiting).toContainText(`Los Angeles 90025. Asked for: ${formatWeekday(wished)}`);
  const call = waiting.getByRole('link', { name: `Call (310) 555-0142, ${name}` });
  await expect(call).toHaveAttribute('href', 'tel:+13105550142');
  expect((await call.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectNoAxeViolations(page);
  await waiting.getByRole('button', { name: /^Agree on a day/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Pickup of order / });
  await expect(dialog.getByRole('combobox', { name: 'Pickup day' })).toHaveValue(wished);
  await dialog.getByRole('button', { name: 'Save pickup day' }).click();
  await expect(dialog.getByText('Please choose a time.')).toBeVisible();
  await agree(page, today(), 'Evening');
  await expect(toast(page, `${formatWeekday(today())}, evening`)).toBeVisible();
  await expect(waiting).toHaveCount(0);
  const coming = rowOf(page, 'Coming and going today, Evening', name);
  await expect(coming.getByRole('link', { name: '12 Analytical Way, Los Angeles, CA 90025' })).toHaveAttribute(
    'href',
    /google\.com\/maps/,
  );
  await expectNoAxeViolations(page);
  await openOrder(page, orderId);
  await expect(page.getByRole('list', { name: 'Order timeline' })).toContainText(
    `Pickup agreed: ${formatWeekday(today())}, evening`,
  );
  await page.goto(`${shop.url}/payment-success?payment_id=${paymentId}`);
  await expect(page.getByText(`Your pickup: ${formatWeekday(today())} in the evening.`)).toBeVisible();
  await expect(page.getByText('Our team will reach out')).toHaveCount(0);
});

test('a pickup that was agreed for today is moved to tomorrow on the order’s page', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  const name = 'Maryam Mirzakhani';
  const tomorrow = dayAfter(today());
  const { orderId } = await placeOrder(shop, name);
  await page.goto('/admin/today');
  await rowOf(page, 'To call', name)
    .getByRole('button', { name: /^Agree on a day/ })
    .click();
  await agree(page, today(), 'Morning');
  await expect(rowOf(page, 'Coming and going today, Morning', name)).toBeVisible();
  await openOrder(page, orderId);
  const facts = page.getByRole('region', { name: 'Order Details' });
  await expect(facts).toContainText(`${formatWeekday(today())}, morning`);
  await page.getByRole('button', { name: /^Agree on another day/ }).click();
  await agree(page, tomorrow, 'Afternoon');
  await expect(facts).toContainText(`${formatWeekday(tomorrow)}, afternoon`);
  await page.getByRole('tab', { name: /^Today/ }).click();
  await expect(rowOf(page, `Tomorrow, ${formatWeekday(tomorrow)}, Afternoon`, name)).toBeVisible();
  await expect(rowOf(page, 'Coming and going today, Morning', name)).toHaveCount(0);
  const due = page.getByRole('table', { name: 'Due' }).getByRole('row').filter({ hasText: name });
  await expect(due).toContainText('Premium');
  await expectNoAxeViolations(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Coming and going today' })).toBeVisible();
  await expect(due).toContainText('(310) 555-0142');
  await expect(due).toContainText('12 Analytical Way, Los Angeles, CA 90025');
  await expect(due).toBeVisible();
  for (const hidden of ['To call', 'Needs you']) {
    await expect(page.getByRole('heading', { name: hidden })).toBeHidden();
  }
});

test('lists that are empty, long or not loaded say so', { tag: '@desktop' }, async ({ page }) => {
  const none = { total: 0, rows: [] };
  const figures = { today: { takings: 0, orders: 0 }, thisMonth: { takings: 758.22, orders: 1 } };
  const inShop = { received: 0, ready: 2, asked: 1 };
  const quiet = { day: today(), toCall: none, coming: none, tomorrow: none, due: none, inShop, figures };
  const pickup = { rugCount: 1, customerInfo: null, agreedPickup: null };
  const rows = Array.from({ length: 20 }, () => ({ ...pickup, _id: crypto.randomUUID() }));
  const answers = [quiet, { ...quiet, toCall: { total: 23, rows } }];
  await page.route('**/api/admin/today', async (route) => {
    const json = answers.shift();
    await (json === undefined ? route.fulfill({ status: 500, json: {} }) : route.fulfill({ json }));
  });
  // Otherwise another test's order loads the page again.
  await page.route('**/api/admin/changes', (route) => route.fulfill({ json: { version: 'same' } }));
  await page.goto('/admin/today');
  for (const sentence of ['Nobody to call.', 'No pickup is agreed for today.', 'No rug is due.']) {
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await expect(page.getByText('Today $0.00 from 0 orders, this month $758.22 from 1 order.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('list', { name: 'To call' }).getByRole('listitem')).toHaveCount(20);
  const stages = page.getByRole('list', { name: 'Rugs in the shop' });
  await expect(stages.getByRole('listitem')).toHaveText(['Ready 2', 'Waiting for the customer 1']);
  await expect(stages.getByRole('link', { name: 'Ready 2' })).toHaveAttribute('href', '/admin/orders?stage=ready');
  await page.getByRole('link', { name: 'and 3 more' }).click();
  await expect(page).toHaveURL(/\/admin\/orders\?delivery=pickup$/);
  await page.goto('/admin/today');
  await expect(page.getByText('Today could not be loaded')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('an owner hides the list of the first day, and the history of the settings says so', { tag: '@desktop' }, async ({
  page,
}) => {
  await page.goto('/admin/today');
  const list = page.getByRole('list', { name: 'First day' });
  await expect(list.getByRole('listitem')).toHaveCount(9);
  await page.getByRole('button', { name: 'Hide this list' }).click();
  await expect(list).toHaveCount(0);
  await page.goto('/admin/settings/history');
  await expect(page.getByText('First day: list hidden')).toBeVisible();
  await page.goto('/admin/today');
  await expect(page.getByRole('heading', { name: 'Due' })).toBeVisible();
  await expect(list).toHaveCount(0);
});
