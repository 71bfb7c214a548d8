import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '../../bff/src/core/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** With a base backup and an archive of the write-ahead log. */
export type RecoverableCluster = {
  /** As superuser. The address survives a recovery. */
  readonly url: string;
  /** A low-level base backup of the running server. */
  readonly backUp: () => Promise<void>;
  readonly place: () => Promise<string>;
  /** Starts the backup in the server's place, recovered up to here. */
  readonly recoverTo: (place: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The embedded PostgreSQL has no `pg_basebackup`. */
export async function startRecoverableCluster(): Promise<RecoverableCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kilim-recoverable-'));
  const [live, backup, recovered, archive] = ['live', 'backup', 'recovered', 'archive'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const port = await freePort();
  let server = await startEmbeddedPostgres({ dataDir: live, port });
  const { url } = server;
  await mkdir(archive);
  await giveTo(join(live, 'postgres'), archive);
  server = await switchArchiveOn(server, { live, archive, port });
  return {
    url,
    backUp: () => copyRunning(url, join(live, 'postgres'), backup),
    place: async () => (await ask(url, 'select pg_current_wal_lsn()::text as answer')) ?? '',
    recoverTo: async (place) => {
      await archived(url);
      await server.stop();
      await mkdir(recovered);
      await run('cp', ['-a', backup, join(recovered, 'postgres')]);
      const settings = `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_lsn = '${place}'\nrecovery_target_action = promote\n`;
      const auto = join(recovered, 'postgres', 'postgresql.auto.conf');
      await writeFile(auto, `${await readFile(auto, 'utf8')}${settings}`);
      const signal = join(recovered, 'postgres', 'recovery.signal');
      await writeFile(signal, '');
      await giveTo(join(live, 'postgres'), signal);
      server = await startEmbeddedPostgres({ dataDir: recovered, port });
      while ((await ask(url, 'select pg_is_in_recovery()::text as answer')) === 'true') await setTimeout(20);
    },
    close: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Places = { readonly live: string; readonly archive: string; readonly port: number };

async function switchArchiveOn(server: EmbeddedPostgres, { live, archive, port }: Places): Promise<EmbeddedPostgres> {
  await ask(server.url, 'alter system set archive_mode = on');
  await ask(server.url, `alter system set archive_command = 'cp %p ${archive}/%f'`);
  await server.stop();
  return await startEmbeddedPostgres({ dataDir: live, port });
}

/** The session must stay open between start and stop of the backup. */
async function copyRunning(url: string, cluster: string, backup: string): Promise<void> {
  const sql = connect({ url, max: 1, applicationName: 'kilim backup', statementTimeoutSeconds: 0 });
  try {
    await sql`select pg_backup_start('drill', fast => true)`;
    // The write-ahead log repairs files that change meanwhile.
    await run('cp', ['-a', cluster, backup]).catch(() => undefined);
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(wait_for_archive => true)`;
    for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(backup, file), { force: true });
    await rm(join(backup, 'pg_wal'), { recursive: true });
    await mkdir(join(backup, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 });
    await writeFile(join(backup, 'backup_label'), label?.labelfile ?? '');
    for (const path of ['pg_wal', 'pg_wal/archive_status', 'backup_label']) await giveTo(cluster, join(backup, path));
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Everything written so far is in the archive. */
async function archived(url: string): Promise<void> {
  const file = await ask(url, 'select pg_walfile_name(pg_switch_wal()) as answer');
  for (let tries = 0; tries < 200; tries += 1) {
    const last = await ask(url, 'select last_archived_wal as answer from pg_stat_archiver');
    if (last !== undefined && file !== undefined && last >= file) return;
    await setTimeout(50);
  }
  throw new Error('The write-ahead log was not archived');
}

async function ask(url: string, statement: string): Promise<string | undefined> {
  const sql = connect({ url, max: 1, applicationName: 'kilim recovery' });
  try {
    const [row] = await sql.unsafe<{ answer?: string }[]>(statement);
    return row?.answer ?? undefined;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** If root runs the test, another user runs the server. */
async function giveTo(like: string, path: string): Promise<void> {
  const { uid, gid } = await stat(like);
  await chown(path, uid, gid);
}
