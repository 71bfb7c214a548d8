import { generateKeyPairSync } from 'node:crypto';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { expect, test } from 'vitest';
import { checkSigningKey } from './check-signing-key.ts';
import { readLastCheckpoint, seal } from './checkpoint.ts';
import { keyIdOf, verifierOf } from './signed-note.ts';
import { ledgerSigner } from './signing-key.ts';
import { verifyLedger } from './verify.ts';

const { appSql, url } = await testDatabase();
const makeSigner = () =>
  ledgerSigner(
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    'Test',
  );
const [signer, other] = [makeSigner(), makeSigner()];

async function refuseOtherKey() {
  expect(checkSigningKey(await readLastCheckpoint(appSql), signer)).toEqual([]);
  await appendFacts(appSql, workedMonth.slice(0, 10));
  await settled(appSql);
  await seal(appSql, signer);

  const last = await readLastCheckpoint(appSql);
  expect(checkSigningKey(last, signer)).toEqual([]);
  const [old, own] = [keyIdOf(verifierOf(signer)), keyIdOf(verifierOf(other))];
  const problem = `the newest checkpoint (number 1) is signed with key ${old}, and this is key ${own}. This server seals nothing.`;
  expect(checkSigningKey(last, other)).toMatchObject([{ level: 'error', variable: 'LEDGER_SIGNING_KEY', problem }]);
  expect(checkSigningKey(last, undefined)).toMatchObject([{ level: 'error', variable: 'LEDGER_SIGNING_KEY' }]);
}

async function changeKey() {
  await appendFacts(appSql, workedMonth.slice(10));
  await settled(appSql);
  await expect(seal(appSql, other)).rejects.toThrow(/^LEDGER_SIGNING_KEY: .* checkpoint --change-key$/);
  expect(await readLastCheckpoint(appSql)).toMatchObject({ sequence: 1 });

  expect(await seal(appSql, other, { changeKey: true })).toMatchObject({ sequence: 2 });
  expect(checkSigningKey(await readLastCheckpoint(appSql), other)).toEqual([]);
  await expect(seal(appSql, signer)).rejects.toThrow('LEDGER_SIGNING_KEY');
  const { faults } = await verifyLedger({ url, verifiers: [signer, other].map(verifierOf), onProgress: () => {} });
  expect(faults).toEqual([]);
}

async function refuseAlteredCheckpoint() {
  const last = await readLastCheckpoint(appSql);
  const note = last?.note.replace(/^events \d+$/m, 'events 1') ?? '';
  expect(checkSigningKey({ sequence: 2, note }, other)[0]).toMatchObject({
    problem: 'the signature of the newest checkpoint (number 2) is not valid: the checkpoint was altered.',
    remedy: expect.stringContaining('verify'),
  });
}

test('only an operator changes the key of a ledger, and an altered checkpoint is no change of the key', async () => {
  await refuseOtherKey();
  await changeKey();
  await refuseAlteredCheckpoint();
});
