import { expect, test } from 'vitest';
import { drawHome } from './draw-home.tsx';

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
  const drawn = await drawHome({ config, settings });
  for (const price of ['$6.25 per sq ft', '$4.45 per sq ft', '$2.05 per sq ft']) expect(drawn).toContain(price);
  expect(drawn).toContain('<strong>Culver City</strong>');
  expect(drawn).toContain('href="tel:3105550142"');
  expect(await drawHome({ config, settings: { tierPrices: { premium: 7 } } })).toContain('$7.00 per sq ft');
});

test('texts of the business are escaped', async () => {
  const drawn = await drawHome({ config, settings });
  expect(drawn).toContain('Ada &amp; &lt;Sons&gt;');
  expect(drawn).not.toContain('<Sons>');
});

test('the rendered page has no inputs, buttons or scripts', async () => {
  const drawn = await drawHome({ config, settings });
  expect(drawn).toContain('id="order"');
  expect(drawn).not.toMatch(/<(input|select|textarea|form|script|button)\b/);
});

test('an invalid configuration throws instead of rendering a page', async () => {
  await expect(drawHome({ config: { business: {} }, settings })).rejects.toThrow('no configuration');
});
