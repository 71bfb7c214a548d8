import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paymentFor, quoted, type Shop, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Throttling } from './api.ts';

const { appSql, ownerSql } = await testDatabase();
const open: Shop[] = [];
afterAll(() => Promise.all(open.map(({ close }) => close())));

/** Separates the counters from the previous test's, which reach the database a moment later. */
let secret = '';
beforeEach(() => {
  secret = crypto.randomUUID();
});

/** With one trusted proxy, so a test can act as many clients. */
async function openStrictShop(throttling: Partial<Throttling> = {}): Promise<Shop> {
  const strict = { secret, factor: 1, trustedProxies: 1, ...throttling };
  const shop = await openShop(appSql, { throttling: strict });
  open.push(shop);
  return shop;
}

const from = (address: string) => ({ 'x-forwarded-for': address });

async function pay(shop: Shop, address: string, more: Parameters<typeof paymentFor>[1] = {}) {
  const quote = await quoted(shop);
  const answer = await shop.post('/api/process-payment', paymentFor(quote, more), from(address));
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { message?: string } };
}

const declinedCard = { token: 'cnon:card-nonce-declined' };

async function declineFromManyNetworks(shop: Shop, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let network = 0; network < times; network += 1) {
    statuses.push((await pay(shop, `10.1.${network}.1`, declinedCard)).status);
  }
  return statuses;
}

const asked = async (shop: Shop) => (await shop.square.requests()).length;

test('a family behind one address can order, pay, retry and view receipts without a refusal', async () => {
  const shop = await openStrictShop();
  for (let member = 0; member < 6; member += 1) {
    expect((await pay(shop, '203.0.113.5', declinedCard)).status).toBe(402);
    expect((await pay(shop, '203.0.113.5')).status).toBe(200);
  }
  for (let time = 0; time < 60; time += 1) {
    const answer = await shop.get('/api/payment-attempts/no-such-attempt-0001', from('203.0.113.5'));
    expect(answer.status).toBe(404);
  }
});

describe('a client that tries one card after another', () => {
  test('is refused after ten declines an hour, with the time to wait; other clients are not', async () => {
    const shop = await openStrictShop();
    for (let card = 0; card < 10; card += 1) expect((await pay(shop, '203.0.113.5', declinedCard)).status).toBe(402);
    const before = await asked(shop);
    const { status, headers, body } = await pay(shop, '203.0.113.5');
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(body).toEqual({ code: 'TooManyRequests', message: expect.stringContaining('Your card was not tried') });
    expect(await asked(shop)).toBe(before);
    expect((await pay(shop, '203.0.113.6')).status).toBe(200);
  });

  test('cannot evade the limit by sending another address in a header', async () => {
    const shop = await openStrictShop();
    for (let card = 0; card < 10; card += 1) await pay(shop, `198.51.100.${card}, 203.0.113.5`, declinedCard);
    expect((await pay(shop, '198.51.100.99, 203.0.113.5')).status).toBe(429);
  });

  test('cannot evade the limit with other addresses of its IPv6 network', async () => {
    const shop = await openStrictShop({ factor: 0.25 });
    for (let card = 0; card < 10; card += 1) await pay(shop, `2001:db8:1:2::${card}`, declinedCard);
    expect((await pay(shop, '2001:db8:1:2::ffff')).status).toBe(429);
    expect((await pay(shop, '2001:db8:1:3::1')).status).toBe(200);
  });

  test('cannot evade the limit at another process', async () => {
    const [here, there] = [await openStrictShop(), await openStrictShop()];
    for (let card = 0; card < 10; card += 1) await pay(here, '203.0.113.5', declinedCard);
    await vi.waitFor(async () => expect((await pay(there, '203.0.113.5')).status).toBe(429), patience);
  });

  test('cannot exhaust the limit of the whole shop alone', async () => {
    const shop = await openStrictShop({ mostDeclinesPerHour: 5 });
    for (let card = 0; card < 20; card += 1) await pay(shop, `203.0.113.${card}`, declinedCard);
    expect((await pay(shop, '198.51.100.1')).status).toBe(200);
  });
});

test('one order accepts at most fifteen cards an hour from all clients together', async () => {
  const shop = await openStrictShop({ mostDeclinesPerHour: 1000 });
  const quote = await quoted(shop);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 16; attempt += 1) {
    const payment = paymentFor(quote, declinedCard);
    statuses.push((await shop.post('/api/process-payment', payment, from(`10.2.${attempt}.1`))).status);
  }
  expect(statuses).toEqual([...Array(15).fill(402), 429]);
});

describe('when too many cards are declined in the whole shop', () => {
  test('no more cards reach Square, the customer reads why, and staff are alerted once', async () => {
    const shop = await openStrictShop({ mostDeclinesPerHour: 8 });
    expect(await declineFromManyNetworks(shop, 8)).toEqual(Array(8).fill(402));
    const before = await asked(shop);
    for (const address of ['203.0.113.5', '198.51.100.7']) {
      const { status, headers, body } = await pay(shop, address);
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(body.message).toMatch(/^We cannot take card payments just now\. Your card was not tried\./);
    }
    expect(await asked(shop)).toBe(before);
    const alerts = shop.logged.filter((line) => line.includes('"level":"fatal"'));
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toContain('stolen');
  });

  test('concurrent attempts cannot evade the limit', async () => {
    const shop = await openStrictShop({ mostDeclinesPerHour: 8 });
    const quotes = await Promise.all(Array.from({ length: 40 }, () => quoted(shop)));
    const before = await asked(shop);
    const answers = await Promise.all(
      quotes.map((quote, network) =>
        shop.post('/api/process-payment', paymentFor(quote, declinedCard), from(`10.3.${network}.1`)),
      ),
    );
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(8);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(32);
    expect(await asked(shop)).toBe(before + 8);
  });

  test('an earlier payment is still answered, by this and by another process', async () => {
    const [here, there] = [
      await openStrictShop({ mostDeclinesPerHour: 8 }),
      await openStrictShop({ mostDeclinesPerHour: 8 }),
    ];
    const payment = paymentFor(await quoted(here));
    const first = await sendPayment(here, payment);
    expect(first.status).toBe(200);
    await declineFromManyNetworks(here, 8);
    expect((await pay(here, '203.0.113.5')).status).toBe(429);
    await vi.waitFor(async () => expect((await pay(there, '203.0.113.5')).status).toBe(429), patience);
    expect(await sendPayment(here, payment)).toEqual(first);
    expect(await sendPayment(there, payment)).toEqual(first);
  });

  test('repeating a declined request does not count as another decline', async () => {
    const shop = await openStrictShop({ mostDeclinesPerHour: 8 });
    const payment = paymentFor(await quoted(shop), declinedCard);
    for (let time = 0; time < 30; time += 1) expect((await sendPayment(shop, payment)).status).toBe(402);
    expect((await pay(shop, '203.0.113.5')).status).toBe(200);
  });
});

test('a double click at the limit gets the same answer twice', async () => {
  const shop = await openStrictShop();
  const quote = await quoted(shop);
  for (let card = 0; card < 9; card += 1) {
    await shop.post('/api/process-payment', paymentFor(quote, declinedCard), from('203.0.113.5'));
  }
  const last = paymentFor(quote);
  const clicks = await Promise.all(
    Array.from({ length: 8 }, () => shop.post('/api/process-payment', last, from('203.0.113.5'))),
  );
  expect(clicks.map(({ status }) => status).filter((status) => status !== 200 && status !== 202)).toEqual([]);
});

test.each([
  ['quotes', 60, (shop: Shop) => shop.post('/api/quote', twoRugs, from('203.0.113.5'))],
  ['attempts', 60, (shop: Shop) => shop.get('/api/payment-attempts/no-such-attempt-0001', from('203.0.113.5'))],
  ['verifications', 12, (shop: Shop) => shop.get(`/api/verify-payment/${'0'.repeat(32)}`, from('203.0.113.5'))],
  ['receipts', 30, (shop: Shop) => shop.get(`/api/orders/payment/${'0'.repeat(32)}`, from('203.0.113.5'))],
])('a tenth of the limit on %s is %i a minute for one address', async (_, most, ask) => {
  const shop = await openStrictShop({ factor: 0.1 });
  const statuses: number[] = [];
  for (let time = 0; time < most + 1; time += 1) statuses.push((await ask(shop)).status);
  expect(statuses.indexOf(429)).toBe(most);
  const refused = await ask(shop);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({ code: 'TooManyRequests', message: expect.stringMatching(/\.$/) });
});

test('a payment does not wait for counting in the database', async () => {
  const shop = await openStrictShop();
  const counted = async () => (await ownerSql`select from kilim.throttle`).length;
  const before = await counted();
  await pay(shop, '203.0.113.5');
  await expect.poll(counted, patience).toBeGreaterThan(before + 3);
  // The payment is answered while the table is locked.
  await ownerSql.begin(async (transaction) => {
    await transaction`lock table kilim.throttle in access exclusive mode`;
    expect((await pay(shop, '203.0.113.6')).status).toBe(200);
  });
});

test('no log line of a refusal contains an address or customer data', async () => {
  const shop = await openStrictShop({ mostDeclinesPerHour: 3 });
  await declineFromManyNetworks(shop, 3);
  expect((await pay(shop, '203.0.113.5')).status).toBe(429);
  const personal = Object.values(adaLovelace).filter((value) => value.length > 5);
  for (const line of shop.logged) {
    for (const secret of [...personal, 'cnon:', '203.0.113', '10.1.0.1', '192.0.2.10'])
      expect(line).not.toContain(secret);
  }
});
