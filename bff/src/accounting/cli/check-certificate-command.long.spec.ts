import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Day } from '@kilim/domain/day';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Certificate, certificate as certificateSchema } from '../../../contract/certificate.ts';
import type { LedgerCommand, LedgerWorld } from '../../core/cli/command.ts';
import { connect } from '../../core/database/database.ts';
import { createLogger } from '../../core/runtime/logger.ts';
import { readCertificate } from '../queries/read-certificate.ts';
import { certifyClosings } from '../use-case/certify-closings.ts';
import { closePeriod } from '../use-case/close-period.ts';
import { reopenPeriod } from '../use-case/reopen-period.ts';
import { certificateCommand } from './certificate-command.ts';
import { checkCertificateCommand } from './check-certificate-command.ts';
import { exportCommand } from './export-command.ts';

const { appSql, url } = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'kilim-certificate-'));
const sql = connect({ url, max: 1, applicationName: 'kilim ledger' });
afterAll(async () => {
  await sql.end();
  await rm(folder, { recursive: true });
});

const said: string[] = [];
const world: LedgerWorld = {
  timeZone: 'America/Los_Angeles',
  signingKey: { signingKey: undefined, dataDir: 'none', shop: 'none' },
  databaseUrl: url,
  sql,
  terminal: { say: (line) => void said.push(line), progress: () => ({ add: () => {}, end: () => {} }) },
};
const run = async (command: LedgerCommand, ...args: readonly string[]) => {
  said.length = 0;
  return await command.run(world, args);
};

await appendFacts(appSql, workedMonth);
await settled(appSql);
const server = {
  sql: appSql,
  log: createLogger({ level: 'silent' }),
  now: () => new Date('2026-11-14T20:00:00Z'),
  timeZone: world.timeZone,
};
const asked = { by: 'ada', requestId: 'closing' };
await closePeriod(server, '2026-10-15' as Day, asked);
await certifyClosings(server);
const found = await readCertificate(appSql, 1);
if (found === undefined) throw new Error('There is no certificate');
const certificate = found;
const { from } = certificate;
const file = (name: string) => join(folder, name);
const keep = (name: string, content: Certificate) =>
  writeFile(file(name), JSON.stringify(z.encode(certificateSchema, content)));
await keep('certificate.json', certificate);
await run(
  exportCommand,
  '--kind',
  'general-ledger',
  '--from',
  from,
  '--to',
  '2026-10-15',
  '--out',
  file('general-ledger.csv'),
);

test('a downloaded file, the certificate in the ledger and the events agree', async () => {
  expect(await run(checkCertificateCommand, file('certificate.json'), file('general-ledger.csv'))).toBe(0);
  expect(said).toEqual([
    `general-ledger.csv: is kilim-general-ledger-${from}-to-2026-10-15.csv of the certificate.`,
    'The ledger has the same certificate.',
    'The exports, computed again from the events, have the certified digests.',
  ]);
});

test('an altered file and an altered certificate are found', async () => {
  await writeFile(file('altered.csv'), 'position\r\n');
  expect(await run(checkCertificateCommand, file('certificate.json'), file('altered.csv'))).toBe(2);
  expect(said[0]).toContain('altered.csv: DIFFERS');
  await keep('altered.json', { ...certificate, bookings: certificate.bookings + 1 });
  expect(await run(checkCertificateCommand, file('altered.json'))).toBe(2);
  expect(said).toEqual(['The certificate DIFFERS from the one in the ledger.']);
  await expect(run(checkCertificateCommand, file('general-ledger.csv'))).rejects.toThrow('is not a certificate');
});

test('the certificate is printed as text', async () => {
  expect(await run(certificateCommand, '--through', '2026-10-15')).toBe(0);
  const [text = ''] = said;
  expect(text).toContain('State: in force');
  for (const { sha256 } of certificate.files) expect(text).toContain(sha256);
  await expect(run(certificateCommand, '--through', '2026-09-30')).rejects.toThrow('No closing in force');
});

test('the certificate of reopened days is superseded', async () => {
  await closePeriod(server, '2026-10-31' as Day, asked);
  await certifyClosings(server);
  const second = await readCertificate(appSql, 2);
  if (second === undefined) throw new Error('There is no certificate');
  await keep('second.json', second);
  expect(await run(checkCertificateCommand, file('second.json'))).toBe(0);
  await reopenPeriod(server, { ...asked, closing: 2, reason: 'wrong-day' });
  expect(await run(checkCertificateCommand, file('second.json'))).toBe(2);
  expect(said.at(-1)).toContain('SUPERSEDED: ada reopened the days');
});
