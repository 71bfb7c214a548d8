import { createHmac } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { signWebhook } from '@kilim/lab/square/webhook-signature';
import { patience, until } from '@kilim/lab/testing/patience';
import { postgresOfWorker, testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../database/database.ts';
import { isReachable } from '../database/repeat-while-away.ts';
import { isSigned } from './square-webhooks.ts';

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql, { isToldBySquare: true });
afterAll(shop.close);

beforeEach(async () => {
  const isQuiet = async () => (await shop.square.events()).events.every(({ state }) => state !== 'waiting');
  await until('no webhook is on its way', isQuiet);
  await ownerSql`delete from ledger.square_hint`;
});

const refundUpdated = {
  merchant_id: 'MSIM',
  type: 'refund.updated',
  event_id: 'bc316346-6691-4243-88ed-6d651a0d0c47',
  created_at: '2026-02-06T22:14:16.421Z',
  data: { type: 'refund', id: 'KkAk_ptNB', object: { refund: { id: 'KkAk_ptNB', status: 'COMPLETED' } } },
};

type Delivery = { readonly signature?: string; readonly headers?: Record<string, string> };

/** The signature covers the exact body. */
function deliver(event: unknown, { signature, headers = {} }: Delivery = {}): Promise<Response> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return shop.request('/api/webhooks/square', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-square-hmacsha256-signature': signature ?? signWebhook({ ...shop.webhooks, body }),
      ...headers,
    },
  });
}

const keptHints = () => ownerSql`
  select event_id, event_type, subject, square_id from ledger.square_hint where square_id not like 'FOREIGN-%'`;
const appended = async () => (await ownerSql`select from ledger.event`).length;

describe('a message that Square signs for an address beside the right one', () => {
  test.each([
    [(url: string) => `${url}/`, '/api/webhooks/square'],
    [(url: string) => `${url}/`, '/api/webhooks/square/'],
    [(url: string) => url.replace('http:', 'https:'), '/api/webhooks/square'],
    [(url: string) => url.replace('//', '//www.'), '/api/webhooks/square'],
    [(url: string) => url.replace(/\/\/[^/]+/, '//shop.example.com'), '/api/webhooks/square'],
  ])('is refused, and the mistake is named', async (wrong, path) => {
    shop.webhooks.signs.last = undefined;
    const body = JSON.stringify(refundUpdated);
    const url = wrong(shop.webhooks.url);
    const signature = signWebhook({ ...shop.webhooks, url, body });
    const headers = { 'x-square-hmacsha256-signature': signature, host: 'shop.example.com' };
    const answer = await shop.request(path, { method: 'POST', body, headers });
    expect(answer.status).toBe(401);
    expect(shop.webhooks.signs.last).toEqual({ mistake: expect.stringContaining(`to ${url}, but the server expects`) });
    expect(shop.logged.join('')).toContain(`"signedFor":"${url}"`);
    expect(await keptHints()).toEqual([]);
  });

  test('is not named when nobody at Square can have signed it', async () => {
    shop.webhooks.signs.last = undefined;
    expect((await deliver(refundUpdated, { signature: 'AAAA' })).status).toBe(401);
    expect(shop.webhooks.signs.last).toBeUndefined();
    expect((await deliver(refundUpdated)).status).toBe(200);
    expect(shop.webhooks.signs.last).toBe('right');
  });
});

describe('the signature', () => {
  const known = {
    url: 'http://127.0.0.1:8787/api/webhooks/square',
    signatureKey: 'test-signature-key',
    body: Buffer.from('{"merchant_id":"MSIM","type":"payment.updated","event_id":"e-1"}'),
    signature: 'tI8K9fdE90uQgJ0Nclypf5m9fsTSt0lQIaNvlJi8abQ=',
  };

  test('matches an example signed by Square', () => expect(isSigned(known)).toBe(true));

  test.each([
    ['another address', { ...known, url: `${known.url}/` }],
    ['another key', { ...known, signatureKey: 'test-signature-kez' }],
    ['no key', { ...known, signatureKey: undefined }],
    ['an empty key', { ...known, signatureKey: '' }],
    ['a re-written body', { ...known, body: Buffer.from(JSON.stringify(JSON.parse(String(known.body)), null, 1)) }],
    ['no signature', { ...known, signature: undefined }],
    ['half of it', { ...known, signature: known.signature.slice(0, 20) }],
    ['something else', { ...known, signature: 'Zm9yZ2Vk' }],
  ])('does not match %s', (_, changed) => expect(isSigned(changed)).toBe(false));

  test('covers the received bytes, not the decoded text', () => {
    const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    const signature = createHmac('sha256', known.signatureKey).update(known.url).update(body).digest('base64');
    expect(isSigned({ ...known, body, signature })).toBe(true);
    expect(isSigned({ ...known, body: Buffer.from(body.toString('utf8')), signature })).toBe(false);
  });
});

test('an event is stored as a hint once, and wakes the worker once', async () => {
  const before = { wakes: shop.wakes(), events: await appended() };
  for (let times = 0; times < 3; times += 1) {
    const answer = await deliver(refundUpdated);
    expect(answer.status).toBe(200);
  }
  expect(await keptHints()).toEqual([
    { event_id: refundUpdated.event_id, event_type: 'refund.updated', subject: 'refund', square_id: 'KkAk_ptNB' },
  ]);
  expect(shop.wakes()).toBe(before.wakes + 1);
  expect(await appended()).toBe(before.events);
});

test.each([
  ['payment.created', { type: 'payment', id: 'p-1', object: { payment: { id: 'p-1' } } }, 'payment', 'p-1'],
  ['dispute.state.updated', { type: 'dispute', id: 'd-1', object: { dispute: { id: 'd-1' } } }, 'dispute', 'd-1'],
  [
    'dispute.evidence.created',
    { type: 'dispute_evidence', id: 'ev', object: { dispute: { id: 'd-2' } } },
    'dispute',
    'd-2',
  ],
  ['payout.sent', { type: 'payout', id: 'po-1' }, 'payout', 'po-1'],
])('%s names its subject', async (type, data, ...[subject, squareId]) => {
  expect((await deliver({ ...refundUpdated, type, data })).status).toBe(200);
  expect(await keptHints()).toMatchObject([{ event_type: type, subject, square_id: squareId }]);
});

test('an event of an irrelevant type is acknowledged and not stored', async () => {
  const wakes = shop.wakes();
  for (const type of ['order.updated', 'catalog.version.updated', 'paymentx', 'loyalty.account.created2']) {
    expect((await deliver({ ...refundUpdated, type })).status).toBe(200);
  }
  expect(await keptHints()).toEqual([]);
  expect(shop.wakes()).toBe(wakes);
});

test('neither the guard against other sites nor the content type check refuses Square', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', 'content-type': 'text/plain' };
  expect((await deliver(refundUpdated, { headers })).status).toBe(200);
});

describe('a webhook without a valid signature', () => {
  test.each([
    ['forged', 'Zm9yZ2Vk'],
    ['unsigned', ''],
    [
      'signed for another address',
      signWebhook({ ...shop.webhooks, url: 'http://evil.test', body: JSON.stringify(refundUpdated) }),
    ],
    [
      'signed with another key',
      signWebhook({ ...shop.webhooks, signatureKey: 'x', body: JSON.stringify(refundUpdated) }),
    ],
  ])('is refused when %s, and stores nothing', async (_, signature) => {
    const answer = await deliver(refundUpdated, { signature });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'NotSigned', message: expect.any(String) });
    expect(await keptHints()).toEqual([]);
  });

  test('is refused when one letter of a signed event was changed', async () => {
    const signature = signWebhook({ ...shop.webhooks, body: JSON.stringify(refundUpdated) });
    const answer = await deliver({ ...refundUpdated, event_id: 'another' }, { signature });
    expect(answer.status).toBe(401);
    expect(await keptHints()).toEqual([]);
  });

  test('is refused before it is parsed as JSON', async () => {
    expect((await deliver('{"type":', { signature: 'Zm9yZ2Vk' })).status).toBe(401);
  });
});

test.each([
  ['no JSON', '{"type":'],
  ['nothing', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['an event without an id', JSON.stringify({ ...refundUpdated, event_id: undefined })],
  ['an event with an endless id', JSON.stringify({ ...refundUpdated, event_id: 'x'.repeat(101) })],
  ['an event with line feeds in its id', JSON.stringify({ ...refundUpdated, event_id: 'a\nb' })],
  ['an event without a type', JSON.stringify({ ...refundUpdated, type: 7 })],
  ['a payment event that names no payment', '{"merchant_id":"MSIM","type":"payment.updated","event_id":"e-1"}'],
  [
    'an event of something with an id that is a path',
    JSON.stringify({ ...refundUpdated, data: { id: '../payments' } }),
  ],
])('%s is malformed, even when signed, and is not stored', async (_, body) => {
  const answer = await deliver(body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'Malformed' });
  expect(await keptHints()).toEqual([]);
});

test('more than 256 KiB is refused, with and without a content length', async () => {
  const body = JSON.stringify({ ...refundUpdated, padding: 'x'.repeat(256 * 1024) });
  expect((await deliver(body)).status).toBe(413);
  const chunks = new ReadableStream({
    start: (controller) => {
      for (let sent = 0; sent < 5; sent += 1) controller.enqueue(Buffer.alloc(64 * 1024, 'x'));
      controller.close();
    },
  });
  const init = { method: 'POST', body: chunks, duplex: 'half' } as const;
  expect((await shop.request('/api/webhooks/square', init)).status).toBe(413);
});

test('while the database is unreachable, Square is told within a second to repeat', async () => {
  const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'kilim test admin' });
  const database = new URL(url).pathname.slice(1);
  try {
    await admin`alter database ${admin(database)} allow_connections false`;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
    expect((await deliver(refundUpdated)).status).toBe(503);
    // Refused without the database.
    expect((await deliver(refundUpdated, { signature: 'Zm9yZ2Vk' })).status).toBe(401);
  } finally {
    await admin`alter database ${admin(database)} allow_connections true`;
    await until('the database answers', () => isReachable(ownerSql, 1000));
    await admin.end();
  }
  await expect.poll(async () => (await deliver(refundUpdated)).status, patience).toBe(200);
  expect(await keptHints()).toHaveLength(1);
});

test('the local Square reports a payment, and each acknowledged event is stored', async () => {
  const quote = await quoted(shop);
  await paid(shop, paymentFor(quote));
  const found = (await shop.square.payments()).find(({ payment }) => payment.reference_id === quote.orderId);
  await vi.waitFor(async () => {
    const { events, deliveries } = await shop.square.events();
    const told = events.map(({ event }) => event).filter(({ data }) => data.id === found?.payment.id);
    const answers = deliveries.filter(({ eventId }) => told.some(({ event_id: id }) => id === eventId));
    expect(answers.length).toBeGreaterThanOrEqual(2);
    expect(answers.every(({ answer }) => answer === '200')).toBe(true);
    const hints = (await keptHints()).filter((hint) => hint['square_id'] === found?.payment.id);
    expect(hints.map((hint) => hint['event_id']).toSorted()).toEqual(
      [...new Set(answers.map(({ eventId }) => eventId))].toSorted(),
    );
  }, patience);
});

test('a webhook with a wrong signature is stored only once it is repeated with the right one', async () => {
  await shop.square.change({ webhookRetryScale: 0.001 });
  shop.simulator.setFault({ kind: 'webhook-bad-signature', times: 1 });
  await paid(shop, paymentFor(await quoted(shop)));
  await vi.waitFor(async () => {
    const { events, deliveries } = await shop.square.events();
    expect(deliveries.map(({ answer }) => answer)).toContain('401');
    expect(events.every(({ state }) => state === 'delivered')).toBe(true);
  }, patience);
});

test('logs contain no content of webhooks', async () => {
  const before = shop.logged.length;
  await deliver(refundUpdated);
  await deliver(refundUpdated, { signature: 'Zm9yZ2Vk' });
  await deliver(`{"merchant_id":"MSIM","email":"${adaLovelace.email}"`);
  await paid(shop, paymentFor(await quoted(shop)));
  const lines = shop.logged.slice(before);
  expect(lines.length).toBeGreaterThanOrEqual(4);
  for (const line of lines) {
    for (const secret of [shop.webhooks.signatureKey, 'merchant_id', adaLovelace.email, '192.0.2.10']) {
      expect(line).not.toContain(secret);
    }
  }
});

test('a thousand forged, replayed and malformed webhooks append nothing and leak no memory', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapAfter = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const forged = { ...refundUpdated, event_id: crypto.randomUUID() };
      const [first, second, third] = await Promise.all([
        deliver(forged, { signature: 'Zm9yZ2Vk' }),
        deliver(refundUpdated),
        deliver('{"type":'),
      ]);
      expect([first.status, third.status]).toEqual([401, 400]);
      // The database may be slow; Square would then be told to repeat.
      expect([200, 503]).toContain(second.status);
    }
    // Exclude the memory of the test itself.
    shop.logged.length = 0;
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const events = await appended();
  const before = await heapAfter(50);
  const after = await heapAfter(300);
  // Keeping 4 kB of each webhook would exceed this.
  expect((after - before) / 2 ** 20).toBeLessThan(3.6);
  expect(await keptHints()).toHaveLength(1);
  expect(await appended()).toBe(events);
});
