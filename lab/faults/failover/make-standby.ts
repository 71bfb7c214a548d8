import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from '../../../bff/src/database/database.ts';
import type { Machine } from './machine.ts';

const run = promisify(execFile);

/**
 * Replaces a stopped machine's files with a copy of the running primary's, so that it starts as its
 * standby. The low-level backup functions do what `pg_basebackup` does, which is not installed.
 * @param sql one session on the primary.
 */
export async function makeStandby(sql: Sql, primary: Machine, standby: Machine): Promise<void> {
  await rm(standby.cluster, { recursive: true, force: true });
  await sql`select pg_backup_start('standby', true)`;
  await copyFiles(primary.cluster, standby.cluster);
  const [backup] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
  const inStandby = (name: string) => join(standby.cluster, name);
  await Promise.all(
    ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'].map((name) =>
      rm(inStandby(name), { recursive: true, force: true }),
    ),
  );
  await mkdir(inStandby('pg_wal'), { mode: 0o700 });
  await mkdir(inStandby('pg_replslot'), { mode: 0o700 });
  await writeFile(inStandby('backup_label'), backup?.labelfile ?? '');
  await writeFile(inStandby('standby.signal'), '');
  const address = `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.password}`;
  // A later entry of this file wins over an earlier one.
  await appendFile(
    inStandby('postgresql.auto.conf'),
    `synchronous_standby_names = ''\nprimary_conninfo = '${address} application_name=${standby.name}'\n`,
  );
  const { owner } = standby.user;
  if (owner === undefined) return;
  for (const name of ['pg_wal', 'pg_replslot', 'backup_label', 'standby.signal']) {
    await chown(inStandby(name), owner.uid, owner.gid);
  }
}

/** Files may vanish while they are copied; the write-ahead log makes up for it. */
async function copyFiles(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const others = said.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'));
    if (others.length > 0) throw new Error(`The copy failed: ${others.join('\n')}`);
  });
}
