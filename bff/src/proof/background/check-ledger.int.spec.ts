import { generateKeyPairSync } from 'node:crypto';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { quietly } from '@kilim/lab/testing/quietly';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import { roundOf } from '../../core/background/job.ts';
import { readFinding } from '../../core/ledger/findings.ts';
import { readHeartbeats } from '../../core/ledger/jobs.ts';
import { authenticateAppends } from '../authentic-event.ts';
import { seal } from '../checkpoint.ts';
import { macKeyOf } from '../event-mac.ts';
import { readProofAttention } from '../read-attention.ts';
import { rememberVerification, verificationFinding } from '../remember-verification.ts';
import { ledgerSigner } from '../signing-key.ts';
import { askForCheck, checkingLedger } from './check-ledger.ts';

const newSigner = () =>
  ledgerSigner(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'Test');
const [signer, later] = [newSigner(), newSigner()];
const horizon = { epoch: 1, xid: '3' };
const { appSql: sql, ownerSql } = await testDatabase();
authenticateAppends(sql, macKeyOf(signer));
const shop = await openShop(sql);
afterAll(shop.close);
const { log } = shop.world;

/** By the role of a server, on request. */
async function check(by = signer) {
  const job = checkingLedger({ sql, log, withReader: (use) => use(sql) }, by);
  await askForCheck(sql);
  await roundOf({ sql, log }, job)();
  return (await readFinding(sql, 'server-check', verificationFinding))?.report;
}

async function sealOrder(...sealing: Parameters<typeof seal> extends [unknown, ...infer Rest] ? Rest : never) {
  await paid(shop, paymentFor(await quoted(shop)));
  await settled(sql);
  await seal(sql, ...sealing);
}

const attention = async () => await readProofAttention(sql, { witnesses: [], signer: undefined, needsWitness: false });

test('a server checks every event on request, with the rights that it has', async () => {
  await sealOrder(signer);
  const [count] = await sql<{ events: number }[]>`select count(*) as events from ledger.event`;
  const whole = { events: count?.events, checkpoints: 1, signaturesChecked: true, faults: 0, firstFaults: [] };
  expect(await check()).toEqual(whole);
  // As if the job had been done: it is due again only when a person asks.
  expect(await check()).toEqual(whole);
});

test('after a change of the key, a server says that it did not check the earlier signatures', async () => {
  await sealOrder(later, { changeKey: true });
  expect(await check(later)).toMatchObject({ checkpoints: 2, signaturesChecked: false, faults: 0 });
});

test('a check that ends with its server is done again, and is no result', async () => {
  const before = await readFinding(sql, 'server-check', verificationFinding);
  const job = checkingLedger({ sql, log, withReader: (use) => use(sql) }, later);
  await askForCheck(sql);
  await job.stop?.(async () => void (await roundOf({ sql, log }, job)()));
  expect(await readFinding(sql, 'server-check', verificationFinding)).toEqual(before);
  const beats = await readHeartbeats(sql);
  expect(beats.find(({ name }) => name === 'check-ledger')?.failure).toMatch(/^the server stopped/);
});

test('a change of a contact, a refund or an event is found, and a later check takes no fault of the proof away', async () => {
  await rememberVerification(ownerSql, {
    horizon,
    events: 1,
    checkpoints: 1,
    signaturesChecked: true,
    faults: ['a', 'b', 'c'],
  });
  expect(await attention()).toMatchObject([{ kind: 'verification-faults', count: 3 }]);
  await check(later);
  expect(await attention()).toMatchObject([{ kind: 'verification-faults', count: 3 }]);
  await rememberVerification(ownerSql, { horizon, events: 1, checkpoints: 1, signaturesChecked: true, faults: [] });
  expect(await attention()).toEqual([]);
  await ownerSql`update ledger.customer_contact set name = 'Mallory'`;
  await quietly(
    ownerSql,
    `update ledger.event set payload = (payload::jsonb || '{"x": 1}')::json where type = 'OrderPlaced'`,
  );
  const { faults = 0, firstFaults } = (await check(later)) ?? {};
  expect(firstFaults?.join('\n')).toMatch(/the event was changed[\s\S]*the contact was changed/);
  expect(await attention()).toMatchObject([{ kind: 'verification-faults', count: faults }]);
});
