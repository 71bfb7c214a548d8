import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChildServer } from '@kilim/lab/testing/child-server';
import { freePort } from '@kilim/lab/testing/free-port';
import { isHostile } from '@kilim/lab/testing/only-ours';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, paymentFor, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, expect, test, vi } from 'vitest';
import type { PaymentAnswer } from '../../contract/payment.ts';
import type { QuoteAnswer } from '../../contract/quote.ts';
import { macKeyOf } from '../proof/event-mac.ts';
import { findSigningKey } from '../proof/signing-key.ts';
import { verifyLedger } from '../proof/verify.ts';

const adminCommand = fileURLToPath(new URL('./cli/admin.ts', import.meta.url));

const { url: databaseUrl, ownerSql } = await testDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'kilim-main-'));
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const token = 'a token for metrics';
const server = await startChildServer({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  METRICS_TOKEN: token,
  PORT: String(port),
  OFFICE_PORT: '0',
  // In a container the public address may be unreachable.
  PUBLIC_URL: 'http://shop.invalid',
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return (await fetch(`${address}${path}`, { ...init, body: JSON.stringify(body) })).json();
}

test('webhooks of the local Square are followed, and the metrics count them', async () => {
  const quote = (await post('/api/quote', twoRugs)) as QuoteAnswer;
  expect((await post('/api/process-payment', paymentFor(quote))) as PaymentAnswer).toMatchObject({ success: true });
  await vi.waitFor(async () => {
    const hints = await ownerSql<{ handled: boolean }[]>`
        select handled_at is not null as handled from ledger.square_hint where square_id not like 'FOREIGN%'`;
    expect(hints.length).toBeGreaterThanOrEqual(2);
    expect(hints.every(({ handled }) => handled)).toBe(true);
  }, patience);
  const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await metrics.text();
  expect(text).toContain('kilim_payments_total{outcome="captured"} 1');
  expect(text).toMatch(/kilim_square_call_seconds_count\{verb="authorize",outcome="authorized"\} 1/);
  expect(text).toMatch(/kilim_webhooks_total\{outcome="kept"\} ([2-9]|\d\d+)$/m);
  if (!isHostile) expect(text).toContain('kilim_unhandled_hints 0');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).toMatch(/route="\/api\/process-payment",status="200"/);
}, 60_000);

test('each event of the server, and of commands beside it, has a MAC of the signing key', async () => {
  const invite = (username: string, directory: string) =>
    promisify(execFile)(process.execPath, [adminCommand, 'invite', username, 'clerk'], {
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: directory },
    });
  await invite('beth', dataDir);
  await expect(invite('carl', join(dataDir, 'elsewhere'))).rejects.toThrow('the key for it is missing here');
  const signer = await findSigningKey({ signingKey: undefined, dataDir, shop: '' });
  const macs = { keys: signer === undefined ? [] : [macKeyOf(signer)], requiredFrom: new Date(0) };
  const verified = await verifyLedger({ url: databaseUrl, verifiers: [], macs, onProgress: () => {} });
  expect(verified).toMatchObject({ faults: [], macs: { right: verified.events, earlier: 0 } });
}, 60_000);

test('the back office has a port of its own, and the shop redirects to it', async () => {
  expect(server.output()).toContain(`Back office is at ${server.officeUrl}/admin\n`);
  expect(new URL(server.officeUrl).port).not.toBe(String(port));
  expect((await fetch(`${server.officeUrl}/admin`)).status).toBe(200);
  expect((await fetch(`${server.officeUrl}/api/config`)).status).toBe(404);
  const page = await fetch(`${address}/admin/orders?page=2`, { redirect: 'manual' });
  expect(page.headers.get('location')).toBe(`${server.officeUrl}/admin/orders?page=2`);
  expect((await fetch(`${address}/api/admin/session`)).status).toBe(404);
  expect((await fetch(`${server.officeUrl}/api/admin/session`)).status).toBe(401);
});

test('the throttles use one connection of their own', async () => {
  await vi.waitFor(async () => {
    const counting = await ownerSql`
      select from pg_stat_activity where datname = current_database() and application_name = 'kilim throttle'`;
    expect(counting).toHaveLength(1);
  }, patience);
});

test("the server's output holds no personal data and no secrets", async () => {
  const personal = Object.values(adaLovelace).filter((value) => value.length > 5);
  expect(server.output()).toContain('/api/process-payment');
  for (const secret of [...personal, 'cnon:', token, '127.0.0.1"', 'simulator-signature-key']) {
    expect(server.output()).not.toContain(secret);
  }
});
