import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtInSettings } from './built-in-settings.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { pages } from './pages.ts';
import type { PageData } from './wire.ts';

const root = mkdtempSync(join(tmpdir(), 'kilim-pages-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, '.vite'));
mkdirSync(join(root, 'assets'));
writeFileSync(join(root, 'assets/entry-1.js'), 'export {};');
writeFileSync(join(root, 'embed.js'), 'void 0;');
writeFileSync(join(root, 'index.html'), '<html><head><!--kilim:head--></head><body><!--kilim:data--></body></html>');
writeFileSync(
  join(root, '.vite/manifest.json'),
  JSON.stringify({
    'index.html': { file: 'assets/entry-1.js' },
    'src/routes/checkout.tsx?tsr-split=component': {
      file: 'assets/checkout-1.js',
      imports: ['index.html', '_shared.js'],
      css: ['assets/checkout-1.css'],
    },
    '_shared.js': { file: 'assets/shared-1.js' },
  }),
);

const policy = contentSecurityPolicy({
  environment: 'sandbox',
  scriptOrigin: 'https://sandbox.web.squarecdn.com',
  parentOrigins: ['https://rugs.example'],
  abConversionUrl: 'https://rugs.example/api/ab',
});
const data: PageData = {
  settings: { ...builtInSettings, terms: '</script><script>alert(1)</script> $& $1' },
  config: {
    square: { applicationId: '', locationId: '', environment: 'sandbox', scriptUrl: '' },
    parentOrigins: [],
    abConversionUrl: null,
    checkoutTopLevel: false,
    business: { name: 'Kilim', phone: '', bookingUrl: '', timeZone: 'America/Los_Angeles', dropOffSites: [] },
  },
};
const app = pages({ root, data: () => data, contentSecurityPolicy: policy });

test('a page announces the scripts and styles of its route', async () => {
  const html = await (await app.request('/checkout')).text();
  for (const file of ['checkout-1.js', 'shared-1.js', 'entry-1.js']) {
    expect(html).toContain(`<link rel="modulepreload" crossorigin href="/assets/${file}">`);
  }
  expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/checkout-1.css">');
});

test('no text in the settings can end the data block or change the page', async () => {
  const html = await (await app.request('/')).text();
  expect(html).not.toContain('<script>alert');
  const block = /<script type="application\/json" id="kilim">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(block)).toEqual(data);
});

test('a page that does not exist is the application with the status 404', async () => {
  const answer = await app.request('/nothing/here');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect((await app.request('/assets/nothing.js')).status).toBe(404);
  expect((await app.request('/', { method: 'POST' })).status).toBe(405);
});

test('assets are kept for ever, pages are asked for again', async () => {
  expect((await app.request('/assets/entry-1.js')).headers.get('cache-control')).toContain('immutable');
  expect((await app.request('/')).headers.get('cache-control')).toBe('no-cache');
});

test('the policy lets no inline script run, and only the named parents frame the page', async () => {
  const directives = ((await app.request('/')).headers.get('content-security-policy') ?? '').split('; ');
  expect(directives).toContain("script-src 'self' https://sandbox.web.squarecdn.com");
  expect(directives).toContain("frame-ancestors 'self' https://rugs.example");
  expect(directives).toContain("object-src 'none'");
  expect(directives.find((directive) => directive.startsWith('connect-src'))).toContain('https://rugs.example');
});

test('other sites may load the embed script, and soon have its next version', async () => {
  const { status, headers } = await app.request('/embed.js');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/javascript');
  expect(headers.get('cache-control')).toContain('max-age=300');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
