import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parsePaymentId } from '@kilim/domain/order/ids';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import { findOrderByPayment } from '../../core/queries/find-order.ts';
import { verifierOf, verifierText } from '../../proof/signed-note.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';

// As an operator runs it. `tamper` acts as an attacker whom no trigger and no permission can stop.

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
const dataDir = await mkdtemp(join(tmpdir(), 'kilim-ledger-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const kept = join(dataDir, 'kept');

async function ledger(...args: readonly string[]) {
  const cli = fileURLToPath(new URL('./ledger.ts', import.meta.url));
  const { NODE_ENV: _, ...inherited } = process.env;
  const options = { env: { ...inherited, DATABASE_URL: url, DATA_DIR: dataDir } };
  const done = { code: 0, ...(await promisify(execFile)(process.execPath, [cli, ...args], options).catch(failed)) };
  return { code: done.code, said: `${done.stdout}${done.stderr}` };
}

function failed(error: unknown) {
  const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
  return { code, stdout, stderr };
}

async function pay(): Promise<string> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  const found = paymentId && (await findOrderByPayment(appSql, paymentId));
  if (found === undefined) throw new Error('not paid');
  return found.stream.orderId;
}

async function tamper(statements: string): Promise<void> {
  await ownerSql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    for (const table of ['event', 'command', 'checkpoint']) {
      await sql.unsafe(`alter table ledger.${table} disable trigger all`);
    }
    await sql.unsafe(statements);
    // A missing trigger would be a fault of its own.
    for (const table of ['event', 'command', 'checkpoint']) {
      await sql.unsafe(`alter table ledger.${table} enable trigger all`);
      await sql.unsafe(`alter table ledger.${table} enable always trigger ${table}_is_append_only`);
      await sql.unsafe(`alter table ledger.${table} enable always trigger ${table}_is_never_truncated`);
    }
  });
}

const first = await pay();
const second = await pay();

async function verifyUntouched() {
  await settled(appSql);
  expect(await ledger('checkpoint', '--out', kept)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^Sealed 8 events\.\nkilim\/ledger\n1\n[\s\S]*\nKept as .*checkpoint-00000001\.txt\n$/),
  });
  expect(await readdir(kept)).toEqual(['checkpoint-00000001.txt', 'key.txt']);
  const { code, said } = await ledger('verify', '--against', kept);
  expect(said).toContain('8 events in 2 streams, 1 checkpoints; 0 events are not sealed yet.');
  expect(said).toContain('Kept checkpoints that were compared: 1.\n');
  expect(said).toContain('8 events are from before the first MAC of this key; their MACs are not checked.\n');
  expect(said).toContain(
    'The ledger is whole. A kept note proves it up to checkpoint 1, which is less than an hour old.\n',
  );
  expect(code).toBe(0);
}

async function verifyAsAuditor() {
  const { said: key } = await ledger('checkpoint', '--key');
  expect(await ledger('verify', '--key', key.trim(), '--against', kept)).toMatchObject({ code: 0 });
  const older = verifierText(
    verifierOf(ledgerSigner('MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD', 'Test')),
  );
  expect(await ledger('verify', '--key', older, '--key', key.trim())).toMatchObject({ code: 3 });
  expect(await ledger('verify', '--key', older)).toMatchObject({
    code: 2,
    said: expect.stringContaining('Checkpoint 1: its signature does not match this key.\n'),
  });
  const another = 'kilim/ledger+12345678+ARRRR';
  expect(await ledger('verify', '--key', another)).toMatchObject({
    code: 1,
    said: expect.stringContaining('The key is not one that checks notes'),
  });
}

async function rebuildUntouched() {
  expect(await ledger('compare')).toMatchObject({
    code: 0,
    said: expect.stringContaining('The rows of 2 orders match the ledger.\n'),
  });
  expect(await ledger('rebuild')).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /Rebuilt 2 orders, 0 refunds and 0 payout entries\. Appends waited \d+ milliseconds\.\nAll rows matched/,
    ),
  });
  expect(await ledger('compare')).toMatchObject({ code: 0 });
}

async function correctWrongRow() {
  await ownerSql`update ledger.order_summary set captured_cents = 1, refunded_cents = 1 where order_id = ${first}`;
  const { code, said } = await ledger('compare');
  expect(said).toContain(
    `${first}: The row: captured_cents is 1, and the ledger says 75822; refunded_cents is 1, and the ledger says 0.\n`,
  );
  expect(code).toBe(2);
  expect(await ledger('rebuild')).toMatchObject({
    code: 2,
    said: expect.stringContaining('Corrected rows of 1 orders.'),
  });
  expect(await ledger('compare')).toMatchObject({ code: 0 });
}

async function missDeletedCheckpoint() {
  await pay();
  await settled(appSql);
  await ledger('checkpoint', '--out', kept);
  await tamper('delete from ledger.checkpoint where sequence = 2');
  // This machine remembers what it sealed; an auditor's does not.
  expect(await ledger('verify')).toMatchObject({
    code: 2,
    said: expect.stringMatching(/^Checkpoint 2: it is missing in the ledger, but .*sealed.* is a kept copy of it\.$/m),
  });
  await rm(join(dataDir, 'sealed'), { recursive: true });
  expect(await ledger('verify')).toMatchObject({
    code: 3,
    said: expect.stringContaining('No fault was found, but the ledger is not proven: '),
  });
  const { code, said } = await ledger('verify', '--against', join(kept, 'checkpoint-00000002.txt'));
  expect(said).toMatch(
    /Checkpoint 2: it is missing in the ledger, but .*checkpoint-00000002\.txt is a kept copy of it\.\n/,
  );
  expect(code).toBe(2);
}

async function nameFaults() {
  await tamper(`
    update ledger.event set amount_cents = 1 where stream_id = 'order-${first}' and type = 'PaymentCaptured';
    delete from ledger.event where stream_id = 'order-${second}' and version = 2;
    update ledger.checkpoint set note = replace(note, 'events 8', 'events 9') where sequence = 1`);
  const { code, said } = await ledger('verify');
  const told = said.split('\n').filter((line) => /: /.test(line) && !line.startsWith('Faults'));
  expect(told).toEqual([
    `order-${first}, version 4: the event was changed; its hash differs.`,
    `order-${second}, version 2: the event is missing.`,
    `order-${second}, versions 1 to 2: not all events of a command exist.`,
    'Checkpoint 1: its signature does not match this key.',
    'Checkpoint 1: it sealed 8 events, but the 7 events in its range now differ.',
    expect.stringMatching(`^order-${second}: the work on the payment \\w+ is there, but its event is not\\.$`),
  ]);
  expect(said).toContain('Faults: 6.\n');
  expect(code).toBe(2);
  const [finding] = await ownerSql`select report from ledger.finding where name = 'verification'`;
  expect(finding?.['report']).toMatchObject({ signaturesChecked: true, faults: 6, firstFaults: told });
}

test('a ledger is sealed, verified, compared and rebuilt, and each fault is named', { timeout: 240_000 }, async () => {
  await verifyUntouched();
  await verifyAsAuditor();
  await rebuildUntouched();
  await correctWrongRow();
  await missDeletedCheckpoint();
  await nameFaults();
});

test('compare and rebuild refuse the schema of a newer release, whose columns they do not know', async () => {
  await ownerSql`insert into kilim.migration (version, name, md5) values (9999, 'of-next-release', '')`;
  for (const command of ['compare', 'rebuild']) {
    expect(await ledger(command)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^The database has migration 9999, .* Run the command of the newer release\.\n$/),
    });
  }
  await ownerSql`delete from kilim.migration where version = 9999`;
});

test('a command that cannot run exits with 1 and says why', async () => {
  expect(await ledger('verify', '--against', join(dataDir, 'nowhere'))).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^There is no .*nowhere\.\n$/),
  });
  expect(await ledger('bless')).toMatchObject({ code: 1, said: expect.stringMatching(/^npm run ledger -- <command>/) });
});
