import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type Sql } from '../src/database/database.ts';
import { findBinaries } from '../src/database/embedded/binaries.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/database/embedded/postgres.ts';
import { findPostmaster } from '../src/database/embedded/postmaster.ts';
import { type ServerProcess, startServer } from '../src/database/embedded/server-process.ts';
import { chooseServerUser, type ServerUser } from '../src/database/embedded/server-user.ts';

const run = promisify(execFile);

/** A primary and a streaming standby on this machine, from the embedded binaries. */
export type PrimaryAndStandby = {
  readonly primaryUrl: string;
  readonly standby: Standby;
  readonly stop: () => Promise<void>;
};

export type Standby = {
  /** Connects as superuser. The address stays the same after another start. */
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Sends a signal to every process of the server: SIGSTOP freezes it, SIGCONT continues it. */
  readonly signal: (signal: NodeJS.Signals) => Promise<void>;
};

export async function startPrimaryAndStandby(): Promise<PrimaryAndStandby> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-standby-'));
  const primary = await startEmbeddedPostgres({ dataDir: join(dataDir, 'primary'), persistent: false });
  const standby = await createStandby(primary, dataDir);
  await standby.start();
  return {
    primaryUrl: primary.url,
    standby,
    stop: async () => {
      await standby.stop();
      await primary.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function createStandby({ url }: EmbeddedPostgres, dataDir: string): Promise<Standby> {
  const binaries = findBinaries();
  const home = join(dataDir, 'standby');
  const cluster = join(home, 'postgres');
  await mkdir(home, { mode: 0o711 });
  const user = await chooseServerUser({ program: binaries.postgres, directory: home });
  await copyCluster(url, { from: join(dataDir, 'primary', 'postgres'), to: cluster, user });
  const { hostname, port: primaryPort, username, password } = new URL(url);
  const port = await freePort();
  let server: ServerProcess | undefined;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    start: async () => {
      server = await startServer({
        program: binaries.postgres,
        cluster,
        user,
        port,
        settings: {
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          fsync: 'off',
          primary_conninfo: `host=${hostname} port=${primaryPort} user=${username} password=${password}`,
          // A standby that lost its primary tries again after this time.
          wal_retrieve_retry_interval: '200ms',
        },
        logFile: join(home, 'postgres.log'),
      });
    },
    stop: async () => {
      await server?.stop();
      server = undefined;
    },
    signal: async (signal) => {
      const postmaster = await findPostmaster(cluster);
      if (postmaster === undefined) throw new Error('The standby does not run');
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster.pid)]);
      const children = stdout.split('\n').map(Number).filter(Boolean);
      for (const pid of [postmaster.pid, ...children]) process.kill(pid, signal);
    },
  };
}

type Copy = { readonly from: string; readonly to: string; readonly user: ServerUser };

/** A base backup without pg_basebackup, which the embedded binaries lack. */
async function copyCluster(url: string, { from, to, user }: Copy): Promise<void> {
  const sql = connect({ url, max: 1, applicationName: 'kilim test backup' });
  await sql`select pg_backup_start('standby', fast => true)`;
  // Files of the log may vanish during the copy; the standby streams what is missing.
  await run('cp', ['--archive', from, to]).catch(() => undefined);
  const [stopped] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(wait_for_archive => false)`;
  await sql.end();
  await rm(join(to, 'postmaster.pid'), { force: true });
  await writeOwned(join(to, 'backup_label'), stopped?.labelfile ?? '', user);
  await writeOwned(join(to, 'standby.signal'), '', user);
}

async function writeOwned(file: string, text: string, { owner }: ServerUser): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  if (owner !== undefined) await chown(file, owner.uid, owner.gid);
}

/**
 * Waits until the standby has replayed everything that the primary has committed. Tests commit without
 * waiting for the disk, so the log may still be in memory: its last position counts, not the flushed one.
 */
export async function untilReplayed(primary: Sql, standby: Sql): Promise<void> {
  const [sent] = await primary<{ position: string }[]>`select pg_current_wal_insert_lsn()::text as position`;
  for (;;) {
    const [row] = await standby<{ replayed: boolean }[]>`
      select pg_last_wal_replay_lsn() >= ${sent?.position ?? ''}::text::pg_lsn as replayed`;
    if (row?.replayed === true) return;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
