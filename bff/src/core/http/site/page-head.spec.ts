import { pageDataOf } from '@kilim/lab/testing/page-data';
import { expect, test } from 'vitest';
import { builtInSettings } from '../office/built-in-settings.ts';
import { withHead } from './page-head.ts';

const site = {
  name: 'Valley',
  note: 'walk-ins welcome',
  address: '1 Main St, Los Angeles, CA 90025',
  hours: 'Mon-Sat 9-5',
};
const dataFor = (business: Parameters<typeof pageDataOf>[0] = {}) =>
  pageDataOf({ phone: '(310) 555-0147', dropOffSites: [site, { name: 'Hills', note: '' }], ...business });
const shopUrl = 'https://orders.example';
const page = '<html><head><title>Rug cleaning</title></head></html>';
const home = (data = dataFor()) => withHead(page, { data, shopUrl, isHome: true });
const graphOf = (html: string) => {
  const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  return (JSON.parse(block) as { '@graph': Record<string, unknown>[] })['@graph'];
};

test('every title has the name of the shop, and only the home page is for search engines', () => {
  expect(home()).toContain('<title>Rug cleaning · Kilim</title>');
  expect(home()).toContain('<link rel="canonical" href="https://orders.example/">');
  expect(home()).not.toContain('noindex');
  const other = withHead(page, { data: dataFor(), shopUrl, isHome: false });
  expect(other).toContain('<title>Rug cleaning · Kilim</title><meta name="robots" content="noindex">');
  expect(other).not.toContain('og:');
});

test('a preview of the link has a title, a text and a picture', () => {
  const metas = [...home().matchAll(/<meta property="(og:[^"]+)" content="([^"]*)">/g)];
  expect(Object.fromEntries(metas.map(([, name, content]) => [name, content]))).toMatchObject({
    'og:type': 'website',
    'og:title': 'Rug cleaning · Kilim',
    'og:url': 'https://orders.example/',
    'og:image': 'https://orders.example/preview.png',
  });
});

test('the business and the price of each tier are described in the vocabulary of schema.org', () => {
  const [business, ...services] = graphOf(home());
  expect(business).toMatchObject({
    '@type': 'LocalBusiness',
    name: 'Kilim',
    telephone: '(310) 555-0147',
    location: [
      { name: 'Valley', description: 'walk-ins welcome, Mon-Sat 9-5', address: '1 Main St, Los Angeles, CA 90025' },
      { name: 'Hills' },
    ],
  });
  expect(services).toHaveLength(3);
  const { premium } = builtInSettings.tierPrices;
  expect(services[0]).toMatchObject({
    '@type': 'Service',
    offers: { priceSpecification: { price: premium, priceCurrency: 'USD', unitCode: 'FTK' } },
  });
});

test('what the shop does not tell is left out', () => {
  const [business] = graphOf(home(dataFor({ phone: '', dropOffSites: [] })));
  expect(business).not.toHaveProperty('telephone');
  expect(business).toMatchObject({ location: [] });
});

test('a name cannot end a tag or a script', () => {
  const name = '"><script>alert(1)</script> & $& Sons';
  const html = home(dataFor({ name }));
  expect(html).not.toContain('<script>alert');
  expect(html).toContain(
    '<title>Rug cleaning · &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; Sons</title>',
  );
  expect(graphOf(html)[0]).toMatchObject({ name });
});
