import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, expect, test, vi } from 'vitest';
import { startJob } from '../core/background/job.ts';
import { createLogger } from '../core/runtime/logger.ts';
import { sealing } from './background/seal-ledger.ts';
import { explainRefusal, readLastCheckpoint, seal } from './checkpoint.ts';
import { openSealMemory } from './seal-memory.ts';
import { ledgerSigner } from './signing-key.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
const directory = await mkdtemp(join(tmpdir(), 'kilim-memory-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const serverAt = (dataDir: string) => ({ ...ledgerSigner(key, 'Test'), memory: openSealMemory(dataDir) });
const first = serverAt(join(directory, 'first'));
const second = serverAt(join(directory, 'second'));

async function payAndSettle(): Promise<void> {
  await paid(shop, paymentFor(await quoted(shop)));
  await settled(appSql);
}

/** No trigger stops the superuser. */
const removeCheckpointsFrom = (sequence: number) =>
  ownerSql.begin(async (sql) => {
    await sql.unsafe('alter table ledger.checkpoint disable trigger all');
    await sql`delete from ledger.checkpoint where sequence >= ${sequence}`;
    await sql.unsafe('alter table ledger.checkpoint enable always trigger checkpoint_is_append_only');
  });

const lost = /^This machine remembers checkpoint 2 .* has no such checkpoint any more.* --accept-restore/;

async function loseCheckpoint() {
  await payAndSettle();
  await seal(appSql, first);
  await payAndSettle();
  await seal(appSql, first);
  await removeCheckpointsFrom(2);
  await settled(appSql);
  await expect(seal(appSql, first)).rejects.toThrow(lost);
  expect(await explainRefusal(appSql, first)).toMatch(lost);
  // So does the same server after a restart.
  await expect(seal(appSql, serverAt(join(directory, 'first')))).rejects.toThrow(lost);
}

async function sealElsewhere() {
  expect(await seal(appSql, second)).toMatchObject({ sequence: 2 });
  expect(await explainRefusal(appSql, first)).toMatch(/^This machine remembers checkpoint 2 .* has another one now/);
  expect(await explainRefusal(appSql, second)).toBeUndefined();
}

async function refuseInBackground() {
  await payAndSettle();
  const logged: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } });
  const refused = vi.fn<(value: 0 | 1) => void>();
  const job = startJob({ sql: appSql, log }, sealing({ sql: appSql, log, refused: { set: refused } }, first));
  await vi.waitFor(() => expect(logged).toHaveLength(1), patience);
  await job.stop();
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ msg: 'the ledger is not sealed', reason: expect.any(String) });
  expect(refused.mock.calls).toEqual([[1]]);
  expect(await readLastCheckpoint(appSql)).toMatchObject({ sequence: 2 });
}

/** The earlier note is set aside. */
async function acceptRestore() {
  expect(await seal(appSql, first, { acceptRestore: true })).toMatchObject({ sequence: 3 });
  expect(await explainRefusal(appSql, first)).toBeUndefined();
  const files = await readdir(join(directory, 'first', 'sealed'));
  expect(files.filter((file) => file.includes('.txt.before-'))).toHaveLength(1);
}

async function rememberOthers() {
  expect(await explainRefusal(appSql, second)).toBeUndefined();
  await removeCheckpointsFrom(3);
  expect(await explainRefusal(appSql, second)).toMatch(/^This machine remembers checkpoint 3/);
}

/** The process remembers. */
async function rememberWithoutFolder() {
  const file = join(directory, 'no-folder');
  await writeFile(file, '');
  const third = serverAt(file);
  expect(await explainRefusal(appSql, third)).toBeUndefined();
  await removeCheckpointsFrom(2);
  expect(await explainRefusal(appSql, third)).toMatch(/^This machine remembers checkpoint 2/);
}

test('a server remembers what it sealed, until the operator accepts a restore', async () => {
  await loseCheckpoint();
  await sealElsewhere();
  await refuseInBackground();
  await acceptRestore();
  await rememberOthers();
  await rememberWithoutFolder();
});
