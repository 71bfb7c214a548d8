import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const { appSql } = await testDatabase();
await makeAdministrator(appSql);
const shop = await openShop(appSql, { metricsToken: 'a token for metrics' });
afterAll(shop.close);
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));

const app = shop.appAt();
const at = {
  shop: 'http://kilim.test',
  office: 'http://office.kilim.test',
  unknown: 'http://192.0.2.7:8080',
};

/** As a browser sends it to every port of one host. */
async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return app.request(url, { ...init, headers: { cookie, 'content-type': 'application/json', ...init.headers } });
}

const officeCalls = ['/api/admin/orders', '/api/admin/session', '/api/admin/ledger/export?format=csv', '/api/admin/x'];

describe("the shop's origin", () => {
  test.each(officeCalls)('does not answer %s, even with the session', async (path) => {
    for (const origin of [at.shop, 'http://KILIM.test', 'http://kilim.test:80']) {
      const answer = await send(`${origin}${path}`);
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'NotFound' })]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('neither signs an administrator in nor refunds', async () => {
    for (const path of ['/api/admin/login', '/api/admin/refund', '/api//admin/refund', '/api/%61dmin/refund']) {
      const answer = await send(`${at.shop}${path}`, { method: 'POST', body: '{}' });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([404, null]);
    }
  });

  test.each([
    ['/admin', '/admin'],
    ['/admin/orders/7?search=a%20b&page=2', '/admin/orders/7?search=a%20b&page=2'],
    ['/admin//evil.example', '/admin//evil.example'],
    ['/admin/%00', '/admin/%00'],
    ['/admin/%E6%97%A5%0D%0Ax:y', '/admin/%E6%97%A5%0D%0Ax:y'],
  ])('redirects the page %s to the office', async (path, target) => {
    const answer = await send(`${at.shop}${path}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${at.office}${target}`]);
    // The address of the office may change.
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await send(`${at.shop}${path}`, { method: 'POST' })).status).toBe(404);
  });
});

describe("the office's origin", () => {
  test('answers its own calls', async () => {
    for (const origin of [at.office, 'http://OFFICE.kilim.test:443']) {
      expect((await send(`${origin}/api/admin/session`)).status).toBe(200);
    }
  });

  test.each(['/api/config', '/api/settings', '/checkout', '/payment-success', '/embed.js', '/nothing', '/dev/api'])(
    'has no %s of the shop',
    async (path) => {
      expect((await send(`${at.office}${path}`)).status).toBe(404);
    },
  );

  test('takes no orders, payments or webhooks', async () => {
    for (const path of ['/api/quote', '/api/process-payment', '/api/webhooks/square', '/checkout']) {
      const answer = await send(`${at.office}${path}`, { method: 'POST', body: JSON.stringify(twoRugs) });
      expect(answer.status).toBe(404);
    }
  });

  test('begins at /admin', async () => {
    const answer = await send(`${at.office}/`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin']);
  });
});

describe('a host that is neither', () => {
  test.each([...officeCalls, '/admin', '/admin/orders'])('gets nothing of %s', async (path) => {
    for (const origin of [at.unknown, 'http://office.kilim.test.evil.example', 'http://office.kilim.test:8080']) {
      const answer = await send(`${origin}${path}`);
      expect([answer.status, await answer.json()]).toEqual([421, expect.objectContaining({ code: 'UnknownHost' })]);
    }
  });

  test('gets the shop, so that a proxy that rewrites the host stops no payment', async () => {
    const answer = await send(`${at.unknown}/api/quote`, { method: 'POST', body: JSON.stringify(twoRugs) });
    expect(answer.status).toBe(200);
  });
});

test('probes, metrics and stored images answer at every host', async () => {
  for (const origin of Object.values(at)) {
    const paths = ['/healthz', '/readyz', '/metrics', `/images/${'0'.repeat(64)}.webp`];
    const statuses = await Promise.all(paths.map(async (path) => (await send(`${origin}${path}`)).status));
    expect(statuses).toEqual([200, 200, 401, 404]);
  }
});

test('a port of the office decides alone: each other port is the shop, under any host', async () => {
  const ported = shop.appAt({ shop: 'http://127.0.0.1:8080', office: 'http://localhost:8081', officePort: 8081 });
  const statusAt = async (localPort: number, host: string, path: string) => {
    const bindings = { incoming: { socket: { remoteAddress: '192.0.2.10', localPort } } };
    return (await ported.request(`http://${host}${path}`, {}, bindings)).status;
  };
  for (const host of ['localhost:8080', '127.0.0.1:8080', 'laptop.local:8080']) {
    expect(await statusAt(8080, host, '/api/admin/session')).toBe(404);
    expect(await statusAt(8080, host, '/admin')).toBe(302);
    expect(await statusAt(8080, host, '/api/config')).toBe(200);
  }
  for (const host of ['localhost:8081', '127.0.0.1:8081', 'laptop.local:8081']) {
    expect(await statusAt(8081, host, '/api/admin/session')).toBe(401);
    expect(await statusAt(8081, host, '/api/config')).toBe(404);
  }
});

describe('a page of another origin', () => {
  const foreign = [
    // The same site: another host of the domain, or another port.
    { 'sec-fetch-site': 'same-site', origin: at.shop },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: at.shop },
    { origin: 'null' },
  ];

  test.each(foreign)('cannot read from the office: %o', async (headers) => {
    for (const path of officeCalls) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await send(`${at.office}${path}`, { method, headers: headers as Record<string, string> });
        expect(answer.status).toBe(403);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  test.each(foreign)('cannot write there: %o', async (headers) => {
    for (const path of ['/api/admin/refund', '/api/admin/logout', '/api/admin/login']) {
      const init = { method: 'POST', headers: headers as Record<string, string>, body: '{}' };
      expect((await send(`${at.office}${path}`, init)).status).toBe(403);
    }
    const preflight = { ...headers, 'access-control-request-method': 'POST' } as Record<string, string>;
    const asked = await send(`${at.office}/api/admin/refund`, { method: 'OPTIONS', headers: preflight });
    expect([...asked.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each([
    { 'sec-fetch-site': 'same-origin', origin: at.office },
    { 'sec-fetch-site': 'same-origin' },
    { origin: at.office },
    // The user typed the address of an export.
    { 'sec-fetch-site': 'none' },
    {},
  ])('is refused; the office itself reads: %o', async (headers) => {
    const answer = await send(`${at.office}/api/admin/session`, { headers: headers as Record<string, string> });
    expect(answer.status).toBe(200);
  });

  test('of the office cannot order in the shop', async () => {
    const headers = { 'sec-fetch-site': 'same-site', origin: at.office };
    const init = { method: 'POST', headers, body: JSON.stringify(twoRugs) };
    expect((await send(`${at.shop}/api/quote`, init)).status).toBe(403);
  });
});
