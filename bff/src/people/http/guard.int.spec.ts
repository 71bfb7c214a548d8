import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, describe, expect, test } from 'vitest';
import type { OfficeCalls } from '../../../contract/call.ts';
import { uploadPath } from '../../core/http/office/images.ts';
import { namesBackOffice } from '../../core/http/origins.ts';
import type { ProvenSession } from '../../core/http/proven.ts';
import type { OpenName, Serve } from '../../core/http/serve.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);

/** As the router knows them, with an id for each parameter. */
const routes = shop.routes
  .filter(({ path, method }) => path.startsWith('/api/admin') && method !== 'ALL')
  .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '0197a3c2-0000-7000-8000-000000000000') }))
  .filter(({ path }) => !/^\/api\/admin\/(login(\/.*)?|password-link(\/use)?)$/.test(path));

const spellings: readonly (readonly [string, (path: string) => string])[] = [
  ['as it is', (path) => path],
  ['with a slash at the end', (path) => `${path}/`],
  ['with doubled slashes', (path) => path.replace('/admin/', '//admin//')],
  ['with an encoded letter', (path) => path.replace('/admin/', '/%61dmin/')],
  ['with a letter encoded twice', (path) => path.replace('/admin/', '/%2561dmin/')],
  ['with encoded slashes', (path) => path.replace('/admin/', '/admin%2F')],
  ['with a line feed at the end', (path) => `${path}%0A`],
  ['in capitals', (path) => path.replace('/admin/', '/ADMIN/')],
  ['with a dot', (path) => path.replace('/admin/', '/./admin/')],
  ['with a semicolon', (path) => path.replace('/admin/', '/admin;x=1/')],
  ['with a question', (path) => `${path}?admin=1`],
];

function contentTypeFor(path: string): string {
  return path.startsWith(uploadPath) ? 'multipart/form-data; boundary=x' : 'application/json';
}

describe('without a session', () => {
  test('the list of routes has the calls', () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /api/admin/settings',
        'POST /api/admin/settings',
        'POST /api/admin/set-password',
        'POST /api/admin/images',
      ]),
    );
  });

  test.each(spellings)('every call is answered 401, spelled %s', async (_, spell) => {
    for (const { method, path } of routes) {
      for (const asked of new Set([method, 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])) {
        const address = spell(path);
        const withBody = asked !== 'GET' && asked !== 'HEAD' && asked !== 'OPTIONS';
        const answer = await shop.request(address, {
          method: asked,
          headers: withBody ? { 'content-type': contentTypeFor(path) } : {},
          ...(withBody ? { body: '{}' } : {}),
        });
        const expected = withBody && contentTypeFor(path) !== 'application/json' ? [401, 415] : [401];
        expect(expected, `${asked} ${address} is answered ${answer.status}`).toContain(answer.status);
      }
    }
  });

  const invalid = [
    ['malformed JSON', '', '{'],
    ['a body of another type', '', '[]'],
    ['fields of other types', '', JSON.stringify({ password: 7, amount: 'x', name: [], tierPrices: 1, through: 'x' })],
    ['an invalid query', '?page=zero&from=never&to=never&format=nothing&status=x', '{}'],
  ] as const;

  test.each(routes.flatMap((route) => invalid.map(([what, query, body]) => ({ ...route, what, query, body }))))(
    '$method $path tells a client with $what only to sign in',
    async ({ method, path, query, body }) => {
      const headers = { 'content-type': contentTypeFor(path) };
      const init = method === 'GET' ? { method } : { method, headers, body };
      const answer = await shop.request(`${path}${query}`, init);
      expect([answer.status, await answer.json()]).toEqual([401, { code: 'NotSignedIn', message: 'Please sign in.' }]);
    },
  );

  test.each(['/api/admin', '/api/admin/', '/api/admin/nothing', '/api/ADMIN/orders', '/api//admin/orders'])(
    'a client does not learn whether %s exists',
    async (path) => {
      const answer = await shop.get(path);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({ code: 'NotSignedIn', message: 'Please sign in.' });
    },
  );

  test.each(['nonsense', 'A'.repeat(43), '', "' or 1=1 --", 'x'.repeat(4000)])(
    'an invented cookie opens nothing: %s',
    async (token) => {
      expect((await shop.get('/api/admin/settings', { cookie: `kilim_admin=${token}` })).status).toBe(401);
    },
  );

  test('calls of customers do not belong to the back office', () => {
    for (const path of ['/api/quote', '/api/administrator', '/api/orders/payment/admin', '/api/admin-x']) {
      expect(namesBackOffice(path)).toBe(false);
    }
  });
});

describe('from another site', () => {
  const withSession = async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  };
  const json = { 'content-type': 'application/json' };

  test.each([
    ['another site', { ...json, 'sec-fetch-site': 'cross-site' }, 403],
    ['a subdomain', { ...json, 'sec-fetch-site': 'same-site' }, 403],
    ['an address that was typed', { ...json, 'sec-fetch-site': 'none' }, 403],
    ['an old browser on another site', { ...json, origin: 'https://evil.example' }, 403],
    [
      'an old browser on a host that begins like ours',
      { ...json, origin: 'http://office.kilim.test.evil.example' },
      403,
    ],
    ['a sandboxed frame', { ...json, origin: 'null' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }, 415],
    ['a form that says text', { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' }, 415],
    [
      'a file form to a call that takes none',
      { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' },
      415,
    ],
    ['an old browser on our site', { ...json, origin: 'http://office.kilim.test' }, 204],
    ['our own page', { ...json, 'sec-fetch-site': 'same-origin', origin: 'http://office.kilim.test' }, 204],
  ])('signing out from %s is answered as it should be', async (_, headers, status) => {
    const session = await withSession();
    const answer = await shop.request('/api/admin/logout', {
      method: 'POST',
      headers: { ...session, ...headers },
      body: '{}',
    });
    expect(answer.status).toBe(status);
  });
});

const owner = {
  id: '1',
  username: 'ada',
  displayName: 'Ada',
  role: 'owner',
  isRecent: true,
  mustChangePassword: false,
} as const;

test('a handler does not compile for an unknown call, without its guard, or with another shape', () => {
  const wrong = (serve: Serve, open: Serve<OpenName>) => {
    // @ts-expect-error The contract has no such call.
    serve('GET /api/admin/ordres', (c) => c.text(''));
    // @ts-expect-error The call needs a permission, and only a guard can prove it.
    open('GET /api/admin/orders', (c) => c.text(''));
    // @ts-expect-error The contract has another shape of this answer,
    serve('GET /api/admin/changes', (_, { answer }) => answer(200, { version: 1 }));
    // @ts-expect-error another status,
    serve('POST /api/admin/logout', (_, { answer }) => answer(200));
    // @ts-expect-error another field of the body,
    serve('POST /api/admin/account/name', (c, { body }) => c.text(body.name));
    // @ts-expect-error and no such parameter.
    serve('GET /api/admin/orders/:id', (c, { params }) => c.text(params.orderId));
  };
  const forged = () => {
    // @ts-expect-error Only the database's answer makes a session.
    const session: ProvenSession = { ...owner };
    return session;
  };
  const unprotected = {
    // @ts-expect-error A call of the back office names its permission, or says that anyone may make it.
    'GET /api/admin/anything': { summary: 'Tell anything', answers: { 200: null } },
  } as const satisfies OfficeCalls;
  expect([wrong, forged, unprotected]).toHaveLength(3);
});

test('the application has only the rights that it needs on the tables of the back office', async () => {
  await expect(appSql`delete from admin.account`).rejects.toMatchObject({ code: '42501' });
  await expect(appSql`update admin.account set username = 'eve'`).rejects.toMatchObject({ code: '42501' });
  await expect(appSql`update admin.session set username = 'eve'`).rejects.toMatchObject({ code: '42501' });
  await expect(appSql`update image.kept set kept_at = now()`).rejects.toMatchObject({ code: '42501' });
  await expect(appSql`delete from image.kept`).rejects.toMatchObject({ code: '42501' });
  const rights = await ownerSql`
    select 1 from information_schema.role_table_grants
    where grantee in ('PUBLIC', 'kilim_report') and table_schema in ('admin', 'image')`;
  expect(rights).toHaveLength(0);
});
