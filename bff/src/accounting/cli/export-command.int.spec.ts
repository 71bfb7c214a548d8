import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, expect, test } from 'vitest';
import type { LedgerWorld } from '../../core/cli/command.ts';
import { connect } from '../../core/database/database.ts';
import { exportCommand } from './export-command.ts';

const { appSql, url } = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'kilim-export-'));
const sql = connect({ url, max: 1, applicationName: 'kilim ledger' });
afterAll(async () => {
  await sql.end();
  await rm(folder, { recursive: true });
});
await appendFacts(appSql, workedMonth);
await settled(appSql);

const said: string[] = [];
const world: LedgerWorld = {
  timeZone: 'America/Los_Angeles',
  signingKey: { signingKey: undefined, dataDir: 'none', shop: 'none' },
  databaseUrl: url,
  sql,
  terminal: { say: (line) => void said.push(line), progress: () => ({ add: () => {}, end: () => {} }) },
};
const run = (...args: readonly string[]) => exportCommand.run(world, args);

test('a range is written to a file, which appears only when it is complete', async () => {
  const out = join(folder, 'takings.csv');
  expect(await run('--kind', 'takings', '--from', '2026-10-01', '--to', '2026-10-31', '--out', out)).toBe(0);
  const lines = (await readFile(out, 'utf8')).trimEnd().split('\r\n');
  expect(lines.length).toBe(32);
  expect(lines[1]).toBe('2026-10-01,1,758.22,0,0.00,-22.29,0.00,0.00,735.93,USD');
  expect(await readdir(folder)).toEqual(['takings.csv']);
  expect(said).toEqual([`Wrote ${out}`]);
});

test.each([
  [['--kind', 'pdf', '--from', '2026-10-01', '--to', '2026-10-31'], '--kind must be one of'],
  [['--kind', 'general-ledger', '--from', '2026-10-32', '--to', '2026-10-31'], '--from must be a day'],
  [['--kind', 'general-ledger', '--from', '2026-10-31', '--to', '2026-10-01'], '--to is before --from'],
  [['--kind', 'general-ledger', '--from', '2026-10-31'], '--to must be a day'],
])('wrong arguments are refused with a sentence: %j', async (args, sentence) => {
  await expect(run(...args)).rejects.toThrow(sentence);
});
