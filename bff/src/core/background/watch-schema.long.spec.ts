import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paymentFor, quoted, type Shop, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../runtime/logger.ts';
import { openLook } from './look.ts';
import { startWatchingSchema } from './watch-schema.ts';

const { appSql, ownerSql } = await testDatabase();
const lines: string[] = [];
const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });

/** With the rights of the application. */
async function watchingShop(own?: { release: string; newestMigration: number }): Promise<Shop> {
  const schemaMisfit = await startWatchingSchema(
    { sql: appSql, log },
    (stop) => onTestFinished(async () => void (await stop())),
    { look: openLook(appSql), ...(own && { own }) },
  );
  const shop = await openShop(appSql, { schemaMisfit });
  onTestFinished(shop.close);
  return shop;
}

async function serveFrom(release: string): Promise<void> {
  await ownerSql.unsafe(
    `create or replace function kilim.oldest_release() returns text language sql return '${release}'`,
  );
}

async function readiness(shop: Shop): Promise<string> {
  const answer = await shop.get('/readyz');
  const { status } = (await answer.json()) as { status: string };
  return `${answer.status} ${status}`;
}

beforeEach(() => void lines.splice(0));

test('a schema that no longer serves this release ends readiness and writes, until it serves it again', async () => {
  const shop = await watchingShop();
  const payment = paymentFor(await quoted(shop));
  expect(await readiness(shop)).toBe('200 ready');
  await serveFrom('99.10.0');
  await vi.waitFor(
    async () => expect(await readiness(shop)).toContain('503 The schema serves release 99.10.0'),
    patience,
  );
  for (const [path, body] of [
    ['/api/process-payment', payment],
    ['/api/quote', twoRugs],
  ] as const) {
    const answer = await shop.post(path, body);
    expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '2',
    });
  }
  expect((await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`)).status).toBe(404);
  expect(await shop.square.payments()).toEqual([]);
  expect(lines.filter((line) => line.includes('cannot use the schema'))).toHaveLength(1);

  await serveFrom('0.1.0');
  await vi.waitFor(async () => expect(await readiness(shop)).toBe('200 ready'), patience);
  expect((await sendPayment(shop, payment)).status).toBe(200);
});

test('releases are compared by their numbers', async () => {
  await serveFrom('0.9.0');
  const tenth = await watchingShop({ release: '0.10.0', newestMigration: 4 });
  const eighth = await watchingShop({ release: '0.8.12', newestMigration: 4 });
  await vi.waitFor(async () => expect(await readiness(eighth)).toContain('this server is of release 0.8.12'), patience);
  expect(await readiness(tenth)).toBe('200 ready');
  await serveFrom('0.1.0');
});

test('a schema that is older than the server, as in a restored backup, ends readiness', async () => {
  const shop = await watchingShop({ release: '0.2.0', newestMigration: 9999 });
  await vi.waitFor(async () => expect(await readiness(shop)).toMatch(/503 .* the server needs number 9999/), patience);
});

test('a payment that meets a missing function is answered 503 and charges nothing', async () => {
  const shop = await openShop(appSql);
  onTestFinished(shop.close);
  const payment = paymentFor(await quoted(shop));
  await ownerSql.unsafe('alter function ledger.append_to_order rename to append_to_order_v9');
  const answer = await shop.post('/api/process-payment', payment);
  expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '2',
  });
  expect(await shop.square.payments()).toEqual([]);
  await ownerSql.unsafe('alter function ledger.append_to_order_v9 rename to append_to_order');
  expect((await sendPayment(shop, payment)).status).toBe(200);
});
