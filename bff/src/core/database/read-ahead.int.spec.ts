import { spawnSync } from 'node:child_process';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

const { url, appSql, ownerSql } = await testDatabase();

/** A program that ends when the connection reads the second row. This process waits for it, and does nothing else. */
const untilReading = `
  import postgres from 'postgres';
  const [url, pid] = process.argv.slice(1);
  const sql = postgres(url, { max: 1 });
  const reading = () => sql\`select from pg_stat_activity where pid = \${pid} and wait_event = 'PgSleep'\`;
  while ((await reading()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await sql.end();`;

test('PostgreSQL reads the next rows while these are worked on', async () => {
  const rows = readAhead(appSql, (reader) =>
    reader<{ pid: number }[]>`
      select pg_backend_pid() as pid, case when row > 1 then pg_sleep(60) end from generate_series(1, 2) as row`.cursor(
      1,
    ),
  );
  const { value = [] } = await rows.next();
  const [row] = value;
  const args = ['--input-type=module', '--eval', untilReading, url, String(row?.pid)];
  expect(spawnSync(process.execPath, args, { timeout: 30_000 }).status).toBe(0);
  const ended = rows.return(undefined);
  await ownerSql`select pg_cancel_backend(${row?.pid ?? 0})`;
  await ended;
});
