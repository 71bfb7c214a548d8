import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Day } from '@kilim/domain/day';
import { cents } from '@kilim/domain/money';
import { type PaymentId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { copyDatabase, startFreshCluster } from '@kilim/lab/testing/copy-database';
import { findPgDump } from '@kilim/lab/testing/pg-dump';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted, type Shop, sendPayment } from '@kilim/lab/testing/shop';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { exportKinds } from '../../accounting/export/kinds.ts';
import { openScope } from '../../accounting/export/scope.ts';
import { readBooksAtAGlance } from '../../accounting/queries/read-books.ts';
import { closePeriod } from '../../accounting/use-case/close-period.ts';
import { seal } from '../../proof/checkpoint.ts';
import { verifierOf } from '../../proof/signed-note.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';
import { verifyLedger } from '../../proof/verify.ts';
import { runNamedCommand } from '../../start/cli/run-named-command.ts';
import { countDays } from '../background/count-days.ts';
import { confirmCluster } from '../database/cluster.ts';
import { connect, type Sql } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { requestRefund } from '../use-case/request-refund.ts';
import { sha256 } from './hash.ts';
import { compareProjections } from './rebuild/compare.ts';
import { rebuildProjections } from './rebuild/rebuild.ts';

// The drill of docs/recovery.md: a ledger is restored into clusters with lower transaction counters, and the shop
// continues there.

const signer = ledgerSigner('MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD', 'Test');
const zone = 'America/Los_Angeles';
const total = 75_822;
const source = await testDatabase();
const shop: Shop = await openShop(source.appSql);
const closers: (() => Promise<unknown>)[] = [shop.close];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function pay(world: Shop): Promise<PaymentId> {
  const body = await paid(world, paymentFor(await quoted(world)));
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return paymentId;
}

async function refund(world: Shop, paymentId: PaymentId): Promise<void> {
  const refundId = crypto.randomUUID() as RefundId;
  const { kind } = await requestRefund(world.world, {
    paymentId,
    refundId,
    requestHash: sha256(refundId),
    refundType: 'partial',
    amount: cents(5000),
    reason: 'Goodwill',
    notes: undefined,
    items: [],
    deliveryMinimum: cents(0),
    requestedBy: 'ada',
    role: 'owner',
    timeZone: 'America/Los_Angeles',
    requestId: undefined,
  });
  expect(kind).toBe('refund');
}

/** As a ledger of some years has. */
async function useTransactionIds(sql: Sql): Promise<void> {
  await sql`do $$ begin
    create temporary table used (n integer) on commit drop;
    for n in 1..3000 loop
      begin insert into used values (n); exception when others then null; end;
    end loop;
  end $$`;
}

async function exportOctober(sql: Sql): Promise<string> {
  const scope = await openScope(sql, zone, { from: '2026-10-01' as Day, to: '2026-10-31' as Day });
  const decoder = new TextDecoder();
  let text = '';
  for (const format of ['csv', 'general-ledger-csv', 'jsonl'] as const) {
    for await (const piece of exportKinds[format].pieces(sql, { scope })) {
      text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    }
  }
  return text;
}

/** As the dashboard reads them, and by the events. */
async function takings(sql: Sql) {
  const { now } = await readBooksAtAGlance(sql, zone);
  const [events] = await sql<{ taken: number; refunded: number }[]>`
    select sum(amount_cents) filter (where type = 'PaymentCaptured')::bigint as taken,
      sum(amount_cents) filter (where type = 'RefundCompleted')::bigint as refunded from ledger.event`;
  return { counted: { taken: now.taken, refunded: now.cardRefunds }, events };
}

const verify = (url: string) => verifyLedger({ url, verifiers: [verifierOf(signer)], onProgress: () => undefined });
const clustersOf = (sql: Sql) => sql`select sequence, epoch, reason from ledger.cluster order by sequence`;

async function openFresh() {
  const fresh = await startFreshCluster();
  const ownerSql = connect({ url: fresh.url, max: 2, applicationName: 'kilim test owner' });
  const appSql = connect({ url: fresh.url, role: 'kilim_server', max: 8, applicationName: 'kilim test app' });
  closers.push(fresh.stop, () => Promise.all([ownerSql.end({ timeout: 1 }), appSql.end({ timeout: 1 })]));
  return { url: fresh.url, ownerSql, appSql };
}

// Its last events are neither sealed nor counted.
await useTransactionIds(source.ownerSql);
await shop.square.change({ refundSettlesAfterMs: 0 });
await appendFacts(source.appSql, workedMonth);
await refund(shop, await pay(shop));
await settled(source.appSql);
await closePeriod({ ...shop.world, timeZone: zone, signer }, '2026-10-31' as Day, { by: 'ada', requestId: 'closing' });
await settled(source.appSql);
await seal(source.appSql, signer);
expect(await countDays(source.appSql, zone)).toBeGreaterThan(30);
await pay(shop);
await settled(source.appSql);
const october = await exportOctober(source.appSql);
const before = await takings(source.appSql);
const { checkpoints } = await verify(source.url);

const pgDump = await findPgDump();
const ways = [
  { how: 'copying every table', restore: copyDatabase },
  ...(pgDump === undefined ? [] : [{ how: 'pg_dump and pg_restore', restore: pgDump }]),
];

describe.each(ways)('a ledger that is restored into another cluster by $how', async ({ restore }) => {
  const { url, ownerSql, appSql } = await openFresh();
  await restore({ from: source.url, to: url });
  const restored: Shop = await openShop(appSql);
  closers.push(restored.close);

  async function refuseEvents() {
    await expect(confirmCluster(appSql)).rejects.toThrow(
      /^The ledger was restored here .* npm run migrate .*MIGRATION_DATABASE_URL/,
    );
    const events = await appSql`select from ledger.event`;
    expect(await sendPayment(restored, paymentFor(await quoted(restored)))).toMatchObject({ status: 503 });
    const ready = await restored.get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'database restored and not migrated' }]);
    expect(await appSql`select from ledger.event`).toHaveLength(events.length);
    expect(await restored.square.payments()).toEqual([]);
  }

  async function refuseCommands() {
    vi.stubEnv('DATABASE_URL', url);
    // A server that once ran in this folder left another key.
    vi.stubEnv('DATA_DIR', join(tmpdir(), 'kilim-without-key'));
    const told = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    // The orders are older than their recording, and have no contacts.
    expect(await runNamedCommand(['verify'])).toBe(2);
    const said = told.mock.calls.map(([line]) => String(line)).join('');
    expect(said).toMatch(/The ledger was restored here from a dump/);
    expect(said).not.toMatch(/Checkpoint|hash|as this release made it/);
    for (const command of ['checkpoint', 'compare', 'rebuild']) {
      await expect(runNamedCommand([command])).rejects.toThrow('npm run migrate');
    }
  }

  async function refuseOtherLogins() {
    await ownerSql`create role restored_login login password 'secret' in role kilim_server`;
    const login = new URL(url);
    login.username = 'restored_login';
    login.password = 'secret';
    await expect(migrate({ url: login.href })).rejects.toThrow(
      /^The ledger was restored from a dump, .* Set MIGRATION_DATABASE_URL to the login of the owner/,
    );
    expect(await clustersOf(ownerSql)).toMatchObject([{ epoch: 1, reason: 'first' }]);
  }

  async function adoptOnce() {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    await Promise.all([migrate({ url, say }), migrate({ url, say })]);
    await migrate({ url, say });
    expect(said).toEqual([expect.stringContaining('Its new events have epoch 2.')]);
    expect(await clustersOf(ownerSql)).toEqual([
      { sequence: 1, epoch: 1, reason: 'first' },
      { sequence: 2, epoch: 2, reason: 'copied' },
    ]);
  }

  async function checkFigures() {
    expect(await takings(appSql)).toEqual(before);
    expect(await countDays(appSql, zone)).toBeGreaterThan(0);
    expect(await takings(appSql)).toEqual(before);
    expect(await exportOctober(appSql)).toBe(october);
    expect(await seal(appSql, signer)).toMatchObject({ sequence: checkpoints + 1, to: { epoch: 2 } });
    expect(await verify(url)).toMatchObject({ faults: [], unsealed: 0, checkpoints: checkpoints + 1 });
  }

  async function continueTrading() {
    await restored.square.change({ refundSettlesAfterMs: 0 });
    await refund(restored, await pay(restored));
    await pay(restored);
    const now = await takings(appSql);
    expect(now.counted).toEqual({ taken: before.counted.taken + 2 * total, refunded: before.counted.refunded + 5000 });
    expect(now.counted).toEqual(now.events);
    await settled(appSql);
    expect(await countDays(appSql, zone)).toBeGreaterThan(0);
    expect(await takings(appSql)).toEqual(now);
    expect(await seal(appSql, signer)).toMatchObject({ sequence: checkpoints + 2 });
    expect(await verify(url)).toMatchObject({ faults: [], unsealed: 0, checkpoints: checkpoints + 2 });
    expect(await exportOctober(appSql)).toBe(october);
    expect(await rebuildProjections({ url, onProgress: () => undefined })).toMatchObject({ corrected: 0 });
    expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
    expect(await appSql`select position from ledger.event group by position having count(*) > 1`).toEqual([]);
    expect((await restored.get('/readyz')).status).toBe(200);
  }

  test('is adopted once by its owner, and then continues', async () => {
    await refuseEvents();
    await refuseCommands();
    await refuseOtherLogins();
    await adoptOnce();
    await checkFigures();
    await continueTrading();
  });
});
