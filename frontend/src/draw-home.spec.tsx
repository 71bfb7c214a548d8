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

test('the home page is drawn with the prices and the business of the moment', async () => {
  const drawn = await drawHome({ config, settings });
  for (const price of ['$6.25 per sq ft', '$4.45 per sq ft', '$2.05 per sq ft']) expect(drawn).toContain(price);
  expect(drawn).toContain('<strong>Culver City</strong>');
  expect(drawn).toContain('href="tel:3105550142"');
  expect(await drawHome({ config, settings: { tierPrices: { premium: 7 } } })).toContain('$7.00 per sq ft');
});

test('no text of the business becomes markup', async () => {
  const drawn = await drawHome({ config, settings });
  expect(drawn).toContain('Ada &amp; &lt;Sons&gt;');
  expect(drawn).not.toContain('<Sons>');
});

test('nothing is drawn that looks as if one could type into it, or that runs', async () => {
  const drawn = await drawHome({ config, settings });
  expect(drawn).toContain('id="order"');
  expect(drawn).not.toMatch(/<(input|select|textarea|form|script|button)\b/);
});

test('without a configuration that can be trusted nothing is drawn', async () => {
  await expect(drawHome({ config: { business: {} }, settings })).rejects.toThrow('no configuration');
});
