import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readVerifier, verifierOf, verifierText } from './signed-note.ts';
import { findSigningKey, openSigningKey } from './signing-key.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'kilim-key-')), 'data');
});
afterEach(() => rm(join(dataDir, '..'), { recursive: true, force: true }));

const place = (signingKey?: string) => ({ dataDir, signingKey, shop: 'Test' });
const configured = 'MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD';

test('a key is generated once, completely, and only its owner can read it', async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => openSigningKey(place())));
  const keys = new Set(opened.map((signer) => verifierText(verifierOf(signer))));
  expect(keys.size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['ledger-signing-key']);
  expect((await stat(join(dataDir, 'ledger-signing-key'))).mode & 0o777).toBe(0o600);
  const found = await findSigningKey(place());
  expect(found && keys.has(verifierText(verifierOf(found)))).toBe(true);
});

test('a configured key is used, and none is generated', async () => {
  await openSigningKey(place(configured));
  expect(await findSigningKey(place())).toBeUndefined();
});

test('a file that is not a key is named, and not replaced', async () => {
  await openSigningKey(place());
  await writeFile(join(dataDir, 'ledger-signing-key'), 'torn');
  await expect(openSigningKey(place())).rejects.toThrow(
    `${join(dataDir, 'ledger-signing-key')} holds no Ed25519 private key`,
  );
});

test("a verifier's key is read back as it was printed, and refused with a wrong name or id", async () => {
  const text = verifierText(verifierOf(await openSigningKey(place(configured))));
  expect(verifierText(readVerifier(` ${text}\n`))).toBe(text);
  expect(() => readVerifier(text.replace('kilim/', 'other/'))).toThrow('not one that checks notes');
  expect(() => readVerifier('kilim/ledger')).toThrow('not one that checks notes');
});
