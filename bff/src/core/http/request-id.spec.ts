import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { identifyRequests } from './request-id.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const given = '0198C2F4-6D2C-7C3E-9B1A-2F5D8A7C4E10';

async function idsOf(trustedProxies: number, header: string) {
  const app = new Hono<{ Variables: { requestId: string; clientRequestId?: string } }>()
    .use(identifyRequests(trustedProxies))
    .get('/', (c) => c.json({ own: c.get('requestId'), client: c.get('clientRequestId') }));
  const answer = await app.request('/', { headers: { 'x-request-id': header } });
  const ids = (await answer.json()) as { own: string; client?: string };
  expect(answer.headers.get('x-request-id')).toBe(ids.own);
  return ids;
}

test('the id of a request is always made by this server', async () => {
  for (const proxies of [0, 1]) {
    const { own } = await idsOf(proxies, given);
    expect(own).toMatch(uuid);
    expect(own).not.toBe(given.toLowerCase());
  }
});

test('the id that a client sends is kept beside it behind a proxy, and ignored without one', async () => {
  expect((await idsOf(1, given)).client).toBe(given.toLowerCase());
  expect((await idsOf(0, given)).client).toBeUndefined();
});

test.each(['Jane_Doe-jane-at-example-com-3105550147', '', `${given}0`, given.slice(1), 'x'.repeat(200)])(
  'a client id that is no UUID is ignored: %s',
  async (header) => {
    expect((await idsOf(1, header)).client).toBeUndefined();
  },
);
