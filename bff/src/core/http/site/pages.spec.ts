import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageDataOf } from '@kilim/lab/testing/page-data';
import { afterAll, describe, expect, test } from 'vitest';
import type { PageData } from '../../../../contract/page-data.ts';
import { officeStart, type Session } from '../../../../contract/session.ts';
import { createLogger } from '../../runtime/logger.ts';
import { builtInSettings } from '../office/built-in-settings.ts';
import { adminContentSecurityPolicy, cloudinaryFolder, contentSecurityPolicy } from './content-security-policy.ts';
import { inTime, type StartOf } from './office-pages.ts';
import { pages } from './pages.ts';
import type { RenderHome } from './render-home.ts';

const root = mkdtempSync(join(tmpdir(), 'kilim-pages-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, '.vite'));
mkdirSync(join(root, 'assets'));
writeFileSync(join(root, 'assets/entry-1.js'), 'export {};');
writeFileSync(join(root, 'embed.js'), 'void 0;');
writeFileSync(join(root, 'assets/home-1.css'), 'h1{}');
writeFileSync(join(root, 'assets/admin-1.css'), 'nav{}');
for (const file of ['office-1.js', 'office-1.js.br', 'admin-1.js', 'shared-1.js']) {
  writeFileSync(join(root, 'assets', file), 'export {};');
}
writeFileSync(
  join(root, 'office.html'),
  '<html><head><!--kilim:head--><script type="module" src="/assets/office-1.js"></script></head><body><template></template><div id="root"></div><script>office()</script><!--kilim:data--></body></html>',
);
writeFileSync(
  join(root, 'index.html'),
  '<html><head><!--kilim:head--><script type="module" src="/assets/main-1.js"></script></head><body><div id="root"></div><script>own()</script><!--kilim:data--></body></html>',
);
writeFileSync(
  join(root, '.vite/manifest.json'),
  JSON.stringify({
    'index.html': { file: 'assets/entry-1.js', dynamicImports: ['src/embed/checkout-place.tsx'] },
    'office.html': { file: 'assets/office-1.js', imports: ['_shared.js'], dynamicImports: ['_admin.js'] },
    'src/office/sign-in.ts': { file: 'assets/sign-in-1.js' },
    '_admin.js': { file: 'assets/admin-1.js', css: ['assets/admin-1.css'] },
    'src/embed/checkout-place.tsx': {
      file: 'assets/checkout-1.js',
      imports: ['index.html', '_shared.js'],
      css: ['assets/checkout-1.css'],
    },
    '_shared.js': { file: 'assets/shared-1.js' },
    'src/home/home-page.tsx': { file: 'assets/home-1.js', css: ['assets/home-1.css'] },
  }),
);

const policy = (addresses: readonly string[] = [], inlineScripts: readonly string[] = []) =>
  contentSecurityPolicy({
    environment: 'sandbox',
    scriptOrigin: 'https://sandbox.web.squarecdn.com',
    parentOrigins: ['https://rugs.example'],
    abConversionUrl: 'https://rugs.example/api/ab',
    images: { addresses, folder: cloudinaryFolder('kilim') },
    inlineScripts,
  });
const data: PageData = {
  ...pageDataOf(),
  settings: { ...builtInSettings, terms: '</script><script>alert(1)</script> $& $1' },
};
const shopUrl = 'https://orders.example';
const built = {
  root,
  data: () => data,
  contentSecurityPolicy: (inlineScripts: readonly string[]) => policy([], inlineScripts),
  adminContentSecurityPolicy: (nonce: string, inlineScripts: readonly string[]) =>
    adminContentSecurityPolicy(nonce, {
      images: { addresses: ['https://pictures.example/pad.jpg'], folder: undefined },
      inlineScripts,
    }),
};
const signedOut = () => Promise.resolve('signed-out' as const);
const app = pages(built, {
  shopUrl,
  isOffice: (c) => new URL(c.req.url).host === 'office.example',
  startOf: signedOut,
});

test('a page preloads the scripts and styles of its route', async () => {
  const html = await (await app.request('/checkout')).text();
  for (const file of ['checkout-1.js', 'shared-1.js', 'entry-1.js']) {
    expect(html).toContain(`<link rel="modulepreload" crossorigin href="/assets/${file}">`);
  }
  expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/checkout-1.css">');
});

test('the home page is sent with its markup and styles, and its scripts wait; a frame gets the bare page', async () => {
  const renderHome: RenderHome = async ({ config }) => `<h1>${config.business.name} $& $1</h1>`;
  const rendering = pages({ ...built, renderHome }, { shopUrl, isOffice: () => false, startOf: signedOut });
  const sentFor = async (destination: string | undefined) => {
    const answer = await rendering.request(
      '/',
      destination === undefined ? {} : { headers: { 'sec-fetch-dest': destination } },
    );
    expect(answer.headers.get('vary')).toContain('sec-fetch-dest');
    return answer.text();
  };
  for (const destination of ['document', undefined]) {
    const html = await sentFor(destination);
    expect(html).toContain('<div id="root" data-drawn><h1>Kilim $& $1</h1></div>');
    expect(html).toContain('<style>h1{}</style>');
    expect(html).toMatch(
      /<template id="scripts">.*<script type="module" src="\/assets\/main-1.js"><\/script>.*<\/template>/,
    );
    expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/home-1.css" media="print">');
  }
  const framed = await sentFor('iframe');
  expect(framed).toContain('<div id="root"></div>');
  expect(framed).not.toContain('<template');
  expect(framed).toContain('<link rel="stylesheet" crossorigin href="/assets/home-1.css">');
  expect(await (await rendering.request('/checkout')).text()).toContain('<div id="root"></div>');
});

test('no text in the settings can end the data block or change the page', async () => {
  const html = await (await app.request('/')).text();
  expect(html).not.toContain('<script>alert');
  const block = /<script type="application\/json" id="kilim">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(block)).toEqual(data);
});

test("the shop's origin has no file that only the back office loads", async () => {
  const statusOf = async (host: string, file: string) => (await app.request(`https://${host}/assets/${file}`)).status;
  for (const file of ['office-1.js', 'office-1.js.br', 'admin-1.js']) {
    expect([await statusOf('orders.example', file), await statusOf('office.example', file)]).toEqual([404, 200]);
  }
  for (const host of ['orders.example', 'office.example']) expect(await statusOf(host, 'shared-1.js')).toBe(200);
});

test('an unknown path gets the application with the status 404', async () => {
  const answer = await app.request('/nothing/here');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect((await app.request('/assets/nothing.js')).status).toBe(404);
  expect((await app.request('/', { method: 'POST' })).status).toBe(405);
});

test('browsers cache assets for ever, and revalidate pages', async () => {
  expect((await app.request('/assets/entry-1.js')).headers.get('cache-control')).toContain('immutable');
  expect((await app.request('/')).headers.get('cache-control')).toBe('no-cache');
});

test('the policy allows only the page’s own inline scripts, and only the named parents may frame the page', async () => {
  const directives = ((await app.request('/')).headers.get('content-security-policy') ?? '').split('; ');
  const own = `'sha256-${createHash('sha256').update('own()').digest('base64')}'`;
  expect(directives).toContain(`script-src 'self' ${own} https://sandbox.web.squarecdn.com https://pay.google.com`);
  expect(directives).toContain("frame-ancestors 'self' https://rugs.example");
  expect(directives).toContain("object-src 'none'");
  expect(directives.find((directive) => directive.startsWith('connect-src'))).toContain('https://rugs.example');
});

test('pictures may come from https hosts in the settings and from the shop’s folder at the image host', () => {
  const addresses = [
    'https://images.example/pads/1.webp?w=2;script-src *',
    'https://images.example/2.webp',
    '/images/3.webp',
    'http://plain.example/4.webp',
    "javascript:alert('5')",
  ];
  const pictures = policy(addresses)
    .split('; ')
    .find((directive) => directive.startsWith('img-src'));
  expect(pictures).toBe(
    "img-src 'self' data: blob: https://sandbox.web.squarecdn.com https://www.gstatic.com https://images.example https://res.cloudinary.com/kilim/",
  );
});

test('no address in the settings or the variables can add a directive to a policy', () => {
  const hostile = [
    'https://a.test;sandbox/x.png',
    "https://a.test'unsafe-eval'/x.png",
    'https://a.test,b.test/x.png',
    'https://*/x.png',
  ];
  expect(policy(hostile)).toBe(policy([]));
  const images = { addresses: hostile, folder: undefined };
  const ofOffice = adminContentSecurityPolicy('a+/=', { images, inlineScripts: [] });
  expect(ofOffice).toContain("style-src 'self' 'nonce-a+/='");
  expect(ofOffice).toContain("img-src 'self' blob:;");
  const parents = contentSecurityPolicy({
    environment: 'simulator',
    scriptOrigin: 'http://[::1]:4000',
    parentOrigins: ['https://a.test;sandbox', 'https://rugs.example:8443'],
    abConversionUrl: null,
    images: { addresses: [], folder: undefined },
    inlineScripts: [],
  });
  expect(parents).toMatch(/frame-ancestors 'self' https:\/\/rugs\.example:8443;/);
  expect(parents).toContain('frame-src http://[::1]:4000;');
});

test('other sites may load the embed script, and get a new version soon', async () => {
  const { status, headers } = await app.request('/embed.js');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/javascript');
  expect(headers.get('cache-control')).toContain('max-age=300');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
});

test('the back office may not be framed, loads nothing from Square, and uses a new style nonce per answer', async () => {
  const nonceOf = async (answer: Response) =>
    /<meta property="csp-nonce" nonce="([^"]+)"><\/head>/.exec(await answer.text())?.[1] ?? 'none';
  const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? '';
  const [first, second] = await Promise.all([app.request('/admin'), app.request('/admin/orders/123?page=2')]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.headers.get('x-frame-options')).toBe('DENY');
  expect(first.headers.get('cache-control')).toBe('no-store');
  const [nonce, another] = await Promise.all([nonceOf(first), nonceOf(second)]);
  expect(nonce).not.toBe(another);
  expect(policyOf(first)).toContain(`style-src 'self' 'nonce-${nonce}'`);
  expect(policyOf(first)).toContain("frame-ancestors 'none'");
  expect(policyOf(first)).toContain('https://pictures.example');
  expect(policyOf(first)).not.toMatch(/squarecdn|unsafe/);
});

describe('what the server draws of the back office', () => {
  const renderOffice = {
    renderSignIn: (name: string) => `<form>${name}</form>`,
    renderFrame: ({ role }: Session, pathname: string) => `<header>${role} at ${pathname}</header>`,
    moduleOf: () => '_admin.js',
  };
  const session: Session = {
    username: 'ada',
    displayName: 'Ada </script>',
    role: 'clerk',
    isRecent: true,
    mustChangePassword: false,
    secondFactors: [],
    mustAddSecondFactor: false,
  };
  const askWith = async (startOf: StartOf, path = '/admin/orders', headers = {}) => {
    const office = pages({ ...built, renderOffice }, { shopUrl, isOffice: () => true, startOf });
    return (await office.request(path, { headers })).text();
  };

  test('without a session: the sign-in, with a script of its own; the others wait in a template', async () => {
    const html = await askWith(signedOut);
    expect(html).toContain('<div id="root" data-drawn><form>Kilim</form>');
    expect(html).toMatch(/<template>.*office-1\.js.*<\/template><script type="module" src="\/assets\/sign-in-1\.js">/s);
    expect(html.match(/office-1\.js/g)).toHaveLength(1);
    expect(html).not.toContain('kilim-office');
  });

  test('with a session: its frame and the data that the scripts would ask for first', async () => {
    const html = await askWith(() => Promise.resolve({ session, version: '7' }));
    expect(html).toContain('<div id="root" data-drawn><header>clerk at /admin/orders</header>');
    expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/admin-1.js">');
    const [, json = ''] = /<script[^>]*id="kilim-office"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
    expect(officeStart.parse(JSON.parse(json))).toEqual({ session, version: '7' });
    expect(html).not.toContain('sign-in-1.js');
  });

  test('the style sheets are part of the page, with its nonce', async () => {
    const html = await askWith(() => Promise.resolve({ session, version: '7' }));
    const nonce = /nonce="([^"]+)"><\/head>/.exec(html)?.[1] ?? 'none';
    expect(html).toContain(`<style nonce="${nonce}">nav{}</style>`);
    expect(html).toMatch(/<template><link rel="stylesheet" crossorigin href="\/assets\/admin-1\.css" disabled>/);
  });

  test('a link on another site, which sends no cookie, opens the page once more', async () => {
    const from = (site: string) => askWith(signedOut, '/admin/orders', { 'sec-fetch-site': site });
    expect(await from('cross-site')).toContain('<meta http-equiv="refresh" content="0">');
    for (const site of ['none', 'same-origin', 'same-site']) expect(await from(site)).toContain('<form>');
  });

  test('an invitation needs no session', async () => {
    expect(await askWith(signedOut, '/admin/invitation')).not.toMatch(/data-drawn|sign-in-1/);
  });

  test('a database that is away or slow leaves the question to the browser', async () => {
    const logged: string[] = [];
    const log = createLogger({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
    const asksItself = /<div id="root"><\/div>.*office-1\.js|office-1\.js.*<div id="root"><\/div>/s;
    expect(await askWith(inTime(() => Promise.reject(new Error('away')), log))).toMatch(asksItself);
    expect(await askWith(inTime(() => new Promise(() => undefined), log))).toMatch(asksItself);
    const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    const opened = { msg: 'a page of the office was opened without its session', path: '/admin/orders' };
    expect(lines).toMatchObject([
      { ...opened, err: { message: 'away' } },
      { ...opened, err: { message: 'No answer came within 1000 ms.' } },
    ]);
  });
});

test('a page in a frame says so, and stays light', async () => {
  const pageFor = async (destination: string) => {
    const answer = await app.request('/checkout', { headers: { 'sec-fetch-dest': destination } });
    expect(answer.headers.get('vary')).toContain('sec-fetch-dest');
    return answer.text();
  };
  expect(await pageFor('iframe')).toContain('<html data-framed>');
  expect(await pageFor('document')).not.toContain('data-framed');
});
