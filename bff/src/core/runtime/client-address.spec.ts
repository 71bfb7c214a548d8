import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type Client, clientOf } from './client-address.ts';

type Asked = { readonly from: string; readonly forwarded?: string; readonly proxies?: number };

async function clientFor({ from, forwarded, proxies = 0 }: Asked): Promise<Client> {
  const app = new Hono().get('/', (c) => c.json(clientOf(c, proxies)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const answer = await app.request('/', { headers }, { incoming: { socket: { remoteAddress: from } } });
  return (await answer.json()) as Client;
}

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001::6', '2001:db8:1:0:0:0:0:6', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0:0:0:0:1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1', 'fe80:0:0:0::/64'],
])('%s is normalised to one address and one network', async (from, address, network) => {
  expect(await clientFor({ from })).toEqual({ address, network });
});

test('without a trusted proxy, X-Forwarded-For is ignored', async () => {
  const client = await clientFor({ from: '192.0.2.7', forwarded: '203.0.113.1' });
  expect(client.address).toBe('192.0.2.7');
});

test.each([
  ['203.0.113.1', 1],
  ['198.51.100.9, 203.0.113.1', 1],
  ['10.0.0.1, 203.0.113.1, 10.0.0.2', 2],
  ['203.0.113.1:49152', 1],
  ['  203.0.113.1 ', 1],
])('of "%s" only as many entries are trusted as there are proxies (%i)', async (forwarded, proxies) => {
  expect((await clientFor({ from: '10.0.0.3', forwarded, proxies })).address).toBe('203.0.113.1');
});

test('a request that bypassed the proxies is identified by its connection', async () => {
  const invented = await clientFor({ from: '192.0.2.7', forwarded: '203.0.113.1', proxies: 2 });
  expect(invented.address).toBe('192.0.2.7');
  expect((await clientFor({ from: '192.0.2.7', proxies: 1 })).address).toBe('192.0.2.7');
});

test('an invalid forwarded address falls back to the connection', async () => {
  const client = await clientFor({ from: '192.0.2.7', forwarded: 'unknown', proxies: 1 });
  expect(client.address).toBe('192.0.2.7');
});

test('an IPv6 address with a port is parsed', async () => {
  const client = await clientFor({ from: '10.0.0.3', forwarded: '[2001:db8::1]:443', proxies: 1 });
  expect(client.network).toBe('2001:db8:0:0::/64');
});

test('a request without a connection has the client "unknown"', async () => {
  const app = new Hono().get('/', (c) => c.json(clientOf(c, 0)));
  expect(await (await app.request('/')).json()).toEqual({ address: 'unknown', network: 'unknown' });
});
