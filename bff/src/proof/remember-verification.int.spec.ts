import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../core/database/database.ts';
import { readFinding } from '../core/ledger/findings.ts';
import { expectJobs, readHeartbeats, readLateJobs } from '../core/ledger/jobs.ts';
import { rememberVerification, verificationFinding } from './remember-verification.ts';

const { appSql, ownerSql, url } = await testDatabase();
const auditor = connect({ url, role: 'kilim_report', max: 1, applicationName: 'auditor' });
afterAll(() => auditor.end());

const found = { events: 12, checkpoints: 2, signaturesChecked: true };
const whole = { ...found, horizon: { epoch: 1, xid: '3' }, faults: [] };
const remembered = async () => (await readFinding(appSql, 'verification', verificationFinding))?.report;

test('the newest proof is remembered', async () => {
  expect(await rememberVerification(ownerSql, { ...whole, faults: ['The chain of order-1 breaks.'] })).toBe(true);
  expect(await rememberVerification(ownerSql, whole)).toBe(true);
  expect(await remembered()).toEqual({ ...found, faults: 0, firstFaults: [] });
});

test('a read-only login can prove the ledger, and does not change the remembered proof', async () => {
  await rememberVerification(ownerSql, whole);
  expect(await rememberVerification(auditor, { ...whole, events: 13 })).toBe(false);
  expect(await remembered()).toMatchObject({ events: 12 });
});

test('the nightly verification, which has its own login, is missed when it does not come, and a proof by hand is not', async () => {
  await rememberVerification(ownerSql, whole);
  expect(await readHeartbeats(appSql)).toEqual([]);
  const name = `nightly_${url.slice(-8)}`;
  await ownerSql.unsafe(`create role ${name} login password 'secret' in role kilim_verifier`);
  const nightly = connect({ url: withLogin(name), max: 1, applicationName: 'nightly' });
  expect(await rememberVerification(nightly, whole)).toBe(true);
  await nightly.end();
  await ownerSql`update ledger.heartbeat set succeeded_at = clock_timestamp() - interval '27 hours'`;
  await expectJobs(appSql, []);
  expect(await readLateJobs(appSql)).toMatchObject([
    { name: 'verify', meaning: 'The nightly check of the records did not run.' },
  ]);
});

function withLogin(username: string): string {
  return Object.assign(new URL(url), { username, password: 'secret' }).href;
}
