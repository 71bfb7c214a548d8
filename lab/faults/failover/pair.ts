import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect, type Sql } from '../../../bff/src/database/database.ts';
import { isDatabaseAway } from '../../../bff/src/database/failures.ts';
import type { Thaw } from '../chaos/freeze.ts';
import { createMachine, freezeMachine, kill, logFileOf, type Machine, type MachineDeath, start } from './machine.ts';
import { makeStandby } from './make-standby.ts';

/** A primary and a synchronous standby. */
export type Pair = {
  /** Names both machines; the driver connects to the primary. */
  readonly url: string;
  readonly ownerSql: Sql;
  readonly primaryUrl: () => string;
  readonly standbyUrl: () => string;
  readonly readStandby: <Answer>(read: (sql: Sql) => Promise<Answer>) => Promise<Answer>;
  /** Kills the primary. Afterwards nothing can change on it. */
  readonly killPrimary: (how: MachineDeath) => Promise<void>;
  /** Stops all processes of the primary, as a hanging disk or a paused machine does. */
  readonly freezePrimary: () => Promise<Thaw>;
  /** Kills the standby. Commits on the primary now wait. */
  readonly killStandby: () => Promise<void>;
  /**
   * Makes the standby the primary. It needs no standby for its commits until `rebuild`, like a
   * primary that Patroni promotes.
   */
  readonly promote: () => Promise<void>;
  /** Makes the other machine a synchronous standby, from a new copy of the primary. */
  readonly rebuild: () => Promise<void>;
  /** Everything that both machines logged since they were last started. */
  readonly log: () => Promise<string>;
  /** Starts the killed machine that is not the primary, with the files that it had. */
  readonly startOther: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * @param syncsToDisk true to measure. Killing processes loses nothing that they have written, so
 * tests need not wait for the disk.
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

/** A short session of an operator, on this machine whatever its kind is. */
async function onMachine<Answer>(
  machine: Machine,
  work: (sql: Sql) => PromiseLike<Answer>,
  database = 'kilim',
): Promise<Answer> {
  const url = Object.assign(new URL(urlOf(machine)), { pathname: `/${database}` }).href;
  const sql = connect({ url, max: 1, applicationName: 'kilim operator', statementTimeoutSeconds: 60 });
  try {
    await untilAnswers(sql);
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** On a busy machine a connection may take longer than the driver waits. */
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

/** From now on a commit on this primary waits until the standby has written it to disk. */
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
