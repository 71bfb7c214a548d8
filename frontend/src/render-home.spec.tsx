import { expect, test } from 'vitest';
import { renderHome } from './render-home.tsx';

const config = {
  square: { applicationId: '', locationId: '', environment: 'sandbox', scriptUrl: '' },
  parentOrigins: [],
  abConversionUrl: null,
  checkoutTopLevel: false,
  business: {
    name: 'Ada & <Sons>',
    phone: '(310) 555-0142',
    bookingUrl: '',
    timeZone: 'America/Los_Angeles',
    dropOffSites: [{ name: 'Culver City', note: 'weekdays' }],
  },
};
const settings = { tierPrices: { premium: 6.25, midrange: 4.45, economy: 2.05 } };

test('the home page is rendered with the current prices and business', async () => {
  const html = await renderHome({ config, settings });
  for (const price of ['$6.25 per sq ft', '$4.45 per sq ft', '$2.05 per sq ft']) expect(html).toContain(price);
  expect(html).toContain('<strong>Culver City</strong>');
  expect(html).toContain('href="tel:3105550142"');
  expect(await renderHome({ config, settings: { tierPrices: { premium: 7 } } })).toContain('$7.00 per sq ft');
});

test('texts of the business are escaped', async () => {
  const html = await renderHome({ config, settings });
  expect(html).toContain('Ada &amp; &lt;Sons&gt;');
  expect(html).not.toContain('<Sons>');
});

test('the rendered page has the first rug, with a size if the address names a common one', async () => {
  const boxes = (html: string) =>
    [...html.matchAll(/id="rug-0-\w+(?:Feet|Inches)"[^>]*value="(\d*)"/g)].map(([, at]) => at);
  const html = await renderHome({ config, settings });
  expect(boxes(html)).toEqual(['', '', '', '']);
  expect(html).toContain('value="8x10"');
  const sized = await renderHome({ config, settings }, '8x10');
  expect(boxes(sized)).toEqual(['8', '0', '10', '0']);
  expect(sized).toContain('$500.00');
  expect(boxes(await renderHome({ config, settings }, '8x11'))).toEqual(['', '', '', '']);
});

test('an invalid configuration throws instead of rendering a page', async () => {
  await expect(renderHome({ config: { business: {} }, settings })).rejects.toThrow('no configuration');
});
