import type { BrowserContext, Locator, Page } from '@playwright/test';
import {
  alertIn,
  expect,
  expectHistory,
  expectNoAxeViolations,
  openSettings,
  signInTo,
  test,
  toast,
} from './back-office.ts';
import { fillRugs, smallRug } from './shop.ts';

/** No order in these tests has this tier. */
function midrangePrice(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Midrange price per sq ft' });
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toast(page, 'Your settings have been successfully updated.')).toBeVisible();
}

test('the order form uses a saved price, an invalid one is refused, and the history shows the change', {
  tag: '@core',
}, async ({ page, context, shop }) => {
  await openSettings(page);
  await expectNoAxeViolations(page);
  await midrangePrice(page).fill('four dollars');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toast(page, 'Please check the fields that are named above the form.')).toBeVisible();
  await page.getByRole('button', { name: 'Save Settings' }).click({ trial: true, timeout: 2000 });
  await expect(alertIn(page, 'Some fields need your attention')).toContainText('Please enter an amount from $0.01');
  await expectNoAxeViolations(page);
  await midrangePrice(page).fill('$4.45');
  await page.getByRole('textbox', { name: 'Midrange features' }).fill('Deep cleaning\n\n  Fringe washed by hand ');
  await save(page);
  await expect(midrangePrice(page)).toHaveValue('4.45');
  await expectHistory(page, 'Midrange price per sq ft', 'ada');
  await expectNoAxeViolations(page);

  const form = await context.newPage();
  await form.goto(shop.url);
  await fillRugs(form, smallRug);
  await expect(form.getByText('$4.45 per sq ft').first()).toBeAttached();
  await expect(form.getByText('Fringe washed by hand').first()).toBeAttached();
});

test('changes of different fields are merged, and a field of both is asked about', {
  tag: '@desktop',
}, async ({ page, browser, shop }) => {
  const context = await browser.newContext({ storageState: await signInTo(shop) });
  const other = await context.newPage();
  await openSettings(page);
  await openSettings(other);
  await other.getByRole('textbox', { name: 'Economy features' }).fill('Dust removal');
  await save(other);
  const minimum = page.getByRole('textbox', { name: 'Economy minimum per rug' });
  await minimum.fill('61');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toast(page, 'had saved other fields meanwhile. Both changes hold.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Economy features' })).toHaveValue('Dust removal');
  await expect(minimum).toHaveValue('61.00');

  await openSettings(other);
  await midrangePrice(other).fill('4.15');
  await other.getByRole('textbox', { name: 'Economy features' }).fill('Dust removal by hand');
  await save(other);
  await context.close();
  await midrangePrice(page).fill('4.25');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings were saved meanwhile' });
  await expect(dialog).toContainText('ada saved other settings');
  const midrange = dialog.getByRole('radiogroup', { name: 'Midrange price per sq ft' });
  await expect(dialog.getByRole('radiogroup')).toHaveCount(1);
  await expect(midrange.getByRole('radio', { name: 'Yours: $4.25' })).toBeChecked();
  await midrange.getByRole('radio', { name: 'Theirs: $4.15' }).check();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Save with these choices' }).click();
  await expect(toast(page, 'Your settings have been successfully updated.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(midrangePrice(page)).toHaveValue('4.15');
  await expect(page.getByRole('textbox', { name: 'Economy features' })).toHaveValue('Dust removal by hand');
});

test('an unknown address of the back office keeps its frame', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/admin/no-such-page');
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Go to the orders' }).click();
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible();
});

/** Hostile markup makes the browser report script errors. */
async function openUnwatched(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss());
  return page;
}

test('hostile markup in the terms does not run in the preview, and is removed on saving', {
  tag: '@desktop',
}, async ({ context, shop }) => {
  const page = await openUnwatched(context);
  await openSettings(page, 'terms');
  const hostile = `<h2>Our terms</h2><p onclick="window.hurt=1">Be <strong>kind</strong> to rugs.</p>
    <img src="x" onerror="window.hurt=1"><script>window.hurt=1</script><iframe srcdoc="<script>parent.hurt=1</script>"></iframe>
    <a href="javascript:window.hurt=1">Click</a><style>body{display:none}</style><svg onload="window.hurt=1"></svg>`;
  const isHurt = () => page.evaluate(() => 'hurt' in window);
  await page.getByRole('textbox', { name: 'Terms' }).fill(hostile);
  const preview = page.getByRole('region', { name: 'Preview of the terms' });
  await expect(preview.getByRole('heading', { name: 'Our terms' })).toBeVisible();
  await expect(preview.getByText('kind')).toBeVisible();
  await expect(preview.locator('img, script, iframe, style, svg, a')).toHaveCount(0);
  expect(await isHurt()).toBe(false);
  await save(page);
  await page.reload();
  const terms = await page.getByRole('textbox', { name: 'Terms' }).inputValue();
  expect(terms).toContain('<strong>kind</strong>');
  expect(terms).not.toMatch(/onerror|onclick|onload|script|iframe|style|svg|img/i);
  expect(await isHurt()).toBe(false);
  const [stored] = await shop.sql<{ payload: string }[]>`
    select payload::text from ledger.event where stream_id = 'settings' order by version desc limit 1`;
  expect(stored?.payload).not.toMatch(/onerror|javascript:|<script/i);
});

async function drawnJpeg(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 640, height: 480 });
    canvas.getContext('2d')?.fillRect(100, 100, 300, 200);
    return canvas.toDataURL('image/jpeg');
  });
  return Buffer.from(address.split(',')[1] ?? '', 'base64');
}

test('an uploaded image is re-encoded and shown, and files that are too large or not images are refused', {
  tag: '@desktop',
}, async ({ page }) => {
  await openSettings(page, 'add-ons');
  const input = page.getByLabel('Pad image');
  const section = page.getByRole('region', { name: 'Green Pad' });
  await input.setInputFiles({ name: 'pad.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await expect(section.getByText('Please choose a JPEG, PNG or WebP image.')).toBeVisible();
  await input.setInputFiles({ name: 'pad.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
  await expect(section.getByText('This image is larger than 5 MB. Please choose a smaller one.')).toBeVisible();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>');
  await input.setInputFiles({ name: 'pad.png', mimeType: 'image/png', buffer: svg });
  await expect(section.getByText('Please choose a JPEG, PNG or WebP image.')).toBeVisible();
  await expectNoAxeViolations(page);

  const words = Buffer.from('taken at 12 Analytical Way');
  const buffer = Buffer.concat([await drawnJpeg(page), words]);
  await input.setInputFiles({ name: 'pad.jpg', mimeType: 'image/jpeg', buffer });
  await expect(section.getByText('Uploaded. Save the settings to use it.')).toBeVisible();
  const image = section.getByRole('img', { name: 'Pad image, as saved' });
  await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBe(640);
  await expectNoAxeViolations(page);
  await save(page);
  const answer = await page.request.get((await image.getAttribute('src')) ?? '');
  expect(answer.headers()['content-type']).toBe('image/webp');
  expect((await answer.body()).includes(words)).toBe(false);
});

test('leaving unsaved changes needs a confirmation', { tag: '@desktop' }, async ({ page }) => {
  await openSettings(page, 'shop');
  const questions: string[] = [];
  let answer: 'accept' | 'dismiss' = 'dismiss';
  page.on('dialog', (question) => {
    questions.push(question.message());
    void question[answer]();
  });
  await page.getByRole('textbox', { name: 'Business phone' }).fill('(310) 555-0100');
  await expect(page.getByText('You have changes that are not saved.')).toBeVisible();
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect.poll(() => questions).toEqual(['You have changes that are not saved. Leave without saving?']);
  await expect(page.getByRole('textbox', { name: 'Business phone' })).toHaveValue('(310) 555-0100');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('You have changes that are not saved.')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Business phone' }).fill('(310) 555-0199');
  answer = 'accept';
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByRole('table', { name: 'Recent Orders' }).or(page.getByText('No orders yet'))).toBeVisible();
  await openSettings(page, 'shop');
  await expect(page.getByRole('textbox', { name: 'Business phone' })).not.toHaveValue('(310) 555-0199');
});

test('the period for which contacts are kept has a page of its own', { tag: '@desktop' }, async ({ page }) => {
  await openSettings(page);
  await page.getByRole('link', { name: 'Contacts of customers' }).click();
  const card = page.getByRole('region', { name: 'Contacts of customers' });
  const months = card.getByRole('textbox', { name: 'Months after the last payment, refund or dispute' });
  await months.fill('2');
  await expect(card.getByText('Please enter whole months from 3 to 120')).toBeVisible();
  await months.fill('36');
  await card.getByRole('button', { name: 'Save period' }).click();
  await expect(page.getByText('Period saved')).toBeVisible();
  await expectHistory(page, 'Contacts are kept: 24 months → 36 months');
});

test('each page of the settings has its own address, and finds its way back on a phone', async ({ page }) => {
  await openSettings(page);
  const index = page.getByRole('navigation', { name: 'Pages of the settings' });
  await expect(page.getByRole('textbox', { name: 'Premium price per sq ft' })).toBeVisible();
  const names = (await index.getByRole('listitem').allInnerTexts()).slice(1);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    await page.goto('/admin/settings');
    await index.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    expect(new URL(page.url()).pathname).not.toBe('/admin/settings');
  }
  await page.goto('/admin/settings/tax');
  await expect(page.getByRole('textbox', { name: 'Name of the sales tax' })).toBeVisible();
  await expectNoAxeViolations(page);
  await index.getByRole('link').filter({ visible: true }).first().click();
  await expect(page.getByRole('textbox', { name: 'Premium price per sq ft' })).toBeVisible();
  await page.goto('/admin/settings/nonsense');
  await expect(page.getByText('There are no such settings.')).toBeVisible();
});
