import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect, type Sql } from '../../../bff/src/core/database/database.ts';
import { isDatabaseAway } from '../../../bff/src/core/database/failures.ts';
import type { Thaw } from '../chaos/freeze.ts';
import { createMachine, freezeMachine, kill, logFileOf, type Machine, type MachineDeath, start } from './machine.ts';

export type Pair = {
  /** Names both machines; the driver connects to the primary. */
  readonly url: string;
  readonly ownerSql: Sql;
  readonly primaryUrl: () => string;
  readonly standbyUrl: () => string;
  readonly readStandby: <Answer>(read: (sql: Sql) => Promise<Answer>) => Promise<Answer>;
  /** Afterwards nothing can change on it. */
  readonly killPrimary: (how: MachineDeath) => Promise<void>;
  /** As a hanging disk or a paused machine does. */
  readonly freezePrimary: () => Promise<Thaw>;
  /** Commits on the primary now wait. */
  readonly killStandby: () => Promise<void>;
  /** Its commits need no standby until `rebuild`, like a primary that Patroni promotes. */
  readonly promote: () => Promise<void>;
  /** The other machine becomes a standby, from a new copy of the primary. */
  readonly rebuild: () => Promise<void>;
  readonly log: () => Promise<string>;
  readonly startOther: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * @param syncsToDisk true to measure. Killing processes loses nothing that they have written, so tests need not wait
 * for the disk.
 */
export async function openPair({ syncsToDisk = false } = {}): Promise<Pair> {
  const directory = await mkdtemp(join(tmpdir(), 'kilim-failover-'));
  let primary = await createMachine(directory, { name: 'a', syncsToDisk });
  let standby = await createMachine(directory, { name: 'b', syncsToDisk, copiedFrom: primary });
  await start(primary);
  await onMachine(primary, (sql) => sql`create database kilim`, 'postgres');
  const rebuild = async () => {
    await kill(standby, 'machine');
    await onMachine(primary, (sql) => makeStandby(sql, primary, standby));
    await start(standby);
    await onMachine(primary, (sql) => requireStandby(sql, standby.name));
  };
  await rebuild();
  const url = urlOf(primary, standby);
  const ownerSql = connect({ url, max: 4, applicationName: 'kilim failover' });
  return {
    url,
    ownerSql,
    primaryUrl: () => urlOf(primary),
    standbyUrl: () => urlOf(standby),
    readStandby: (read) => onMachine(standby, read),
    killPrimary: (how) => kill(primary, how),
    freezePrimary: () => freezeMachine(primary),
    killStandby: () => kill(standby, 'machine'),
    promote: async () => {
      await onMachine(standby, async (sql) => void (await sql`select pg_promote(true, 30)`));
      [primary, standby] = [standby, primary];
    },
    rebuild,
    log: async () =>
      (await Promise.all([primary, standby].map((machine) => readFile(logFileOf(machine), 'utf8')))).join('\n'),
    startOther: () => start(standby),
    close: async () => {
      await ownerSql.end({ timeout: 1 });
      for (const machine of [primary, standby]) await kill(machine, 'machine');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function urlOf(...machines: readonly Machine[]): string {
  const hosts = machines.map(({ port }) => `127.0.0.1:${port}`);
  return `postgres://postgres:${machines[0]?.password}@${hosts.join(',')}/kilim`;
}

function onMachine<Answer>(machine: Machine, work: (sql: Sql) => PromiseLike<Answer>, database = 'kilim') {
  return onDatabase(urlOf(machine), database, work);
}

export async function onDatabase<Answer>(
  machineUrl: string,
  database: string,
  work: (sql: Sql) => PromiseLike<Answer>,
): Promise<Answer> {
  const url = Object.assign(new URL(machineUrl), { pathname: `/${database}` }).href;
  const sql = connect({ url, max: 1, applicationName: 'kilim operator', statementTimeoutSeconds: 60 });
  try {
    await untilAnswers(sql);
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A connection may take longer than the driver waits. */
async function untilAnswers(sql: Sql): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || tries === 10) throw error;
      await setTimeout(200);
    }
  }
}

/** A commit then waits until the standby has written it to disk. */
async function requireStandby(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`alter system set synchronous_standby_names = '${name}'`);
  await sql`select pg_reload_conf()`;
  const [now] = await sql<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`;
  for (;;) {
    const streaming = await sql`
      select from pg_stat_replication
      where application_name = ${name} and sync_state = 'sync' and flush_lsn >= ${now?.lsn ?? ''}::pg_lsn`;
    if (streaming.count > 0) return;
    await setTimeout(20);
  }
}

const run = promisify(execFile);

/**
 * From a copy of the running primary, by the low-level backup functions, because `pg_basebackup` is not installed.
 * @param sql one session on the primary.
 */
async function makeStandby(sql: Sql, primary: Machine, standby: Machine): Promise<void> {
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
  // A later entry of this file wins.
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

/** Files may vanish meanwhile; the write-ahead log makes up for it. */
async function copyFiles(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const others = said.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'));
    if (others.length > 0) throw new Error(`The copy failed: ${others.join('\n')}`);
  });
}
