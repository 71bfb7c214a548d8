import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect, type Sql } from '../../../bff/src/core/database/database.ts';
import { isDatabaseAway } from '../../../bff/src/core/database/failures.ts';
import { migrate } from '../../../bff/src/core/database/migrate.ts';
import { passwordFile } from '../../../bff/src/start/embedded/cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../bff/src/start/embedded/postgres.ts';
import { findPostmaster } from '../../../bff/src/start/embedded/postmaster.ts';
import { copyDatabase } from '../../testing/copy-database.ts';
import { freePort } from '../../testing/free-port.ts';
import { freezeFamily, type Thaw } from './freeze.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** It syncs to disk, so that acknowledged commits survive a crash. */
export type OwnDatabase = {
  readonly url: string;
  readonly primaryUrl: () => string;
  readonly ownerSql: Sql;
  /** Starts it again on the same port. */
  readonly crash: () => Promise<void>;
  /** Until the returned function is called or the server crashes. */
  readonly freeze: () => Promise<Thaw>;
  /**
   * Copies all into a new cluster at the same address. Hold back all servers while this runs. Without effect when
   * another disaster breaks the copying. Absent with a standby.
   */
  readonly restore?: (shape: Shape) => Promise<void>;
  /**
   * No space for some time. PostgreSQL then cannot start a new file of its write-ahead log and ends; it is started
   * again when there is space. Absent where this process cannot mount a disk.
   */
  readonly fillDisk?: (full: { readonly part: DiskPart; readonly forMs: number }) => Promise<void>;
  readonly log: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** `log`: the write-ahead log cannot grow, either. */
export type DiskPart = 'tables' | 'log';

export async function openOwnDatabase(): Promise<OwnDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-chaos-'));
  const disk = mountSmallDisk(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, port: await freePort() });
  const { url } = server;
  await migrate({ url });
  const ownerSql = connect({ url, max: 4, applicationName: 'kilim chaos' });
  const running: Running = { dataDir, url, server, earlierLogs: [], thaws: new Set() };
  // Two at the same time would start two servers on the same files.
  let changed: Promise<void> = Promise.resolve();
  const change = (make: () => Promise<void>) => (changed = changed.then(make));
  const crash = () => change(() => crashOnce(running));
  const fillDisk = async ({ fill, empty }: SmallDisk, { part, forMs }: { part: DiskPart; forMs: number }) => {
    if (part === 'tables') await startLogFile(ownerSql).catch(() => undefined);
    await fill();
    if (part === 'log') await useUpLogFiles(ownerSql).catch(() => undefined);
    await setTimeout(forMs);
    await empty();
    if (part === 'log') await crash();
  };
  return {
    url,
    primaryUrl: () => url,
    ownerSql,
    crash,
    freeze: () => freezeOnce(running),
    restore: (shape) => change(() => restoreOnce(running, shape)),
    ...(disk === undefined ? {} : { fillDisk: (full) => fillDisk(disk, full) }),
    log: async () => [...running.earlierLogs, await newestLog(dataDir)].join('\n'),
    close: async () => {
      thawAll(running);
      await ownerSql.end({ timeout: 1 });
      await running.server.stop();
      await disk?.unmount();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Running = {
  readonly dataDir: string;
  readonly url: string;
  server: EmbeddedPostgres;
  readonly earlierLogs: string[];
  readonly thaws: Set<Thaw>;
};

const clusterIn = (dataDir: string) => join(dataDir, 'postgres');
const newestLog = (dataDir: string) => readFile(join(dataDir, 'postgres.log'), 'utf8');

/** A crowd may take the connection of the session that guards the server. */
async function startAgain(running: Running): Promise<void> {
  const deadline = Date.now() + startedWithinMs;
  const port = Number(new URL(running.url).port);
  for (;;) {
    try {
      running.server = await startEmbeddedPostgres({ dataDir: running.dataDir, port });
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() > deadline) throw error;
    }
  }
}

/** Longer than any crowd. */
const startedWithinMs = 15_000;

async function freezeOnce({ dataDir, thaws }: Running): Promise<Thaw> {
  const postmaster = await findPostmaster(clusterIn(dataDir));
  if (postmaster === undefined) return () => undefined;
  const thaw = freezeFamily(postmaster.pid);
  thaws.add(thaw);
  return () => {
    if (thaws.delete(thaw)) thaw();
  };
}

function thawAll({ thaws }: Running): void {
  for (const thaw of thaws) thaw();
  thaws.clear();
}

async function crashOnce(running: Running): Promise<void> {
  const { dataDir, earlierLogs } = running;
  thawAll(running);
  const postmaster = await findPostmaster(clusterIn(dataDir));
  if (postmaster !== undefined) process.kill(postmaster.pid, 'SIGQUIT');
  while ((await findPostmaster(clusterIn(dataDir))) !== undefined) await setTimeout(10);
  // Ends the session that guarded the crashed server.
  await running.server.stop();
  // The next start truncates the log.
  earlierLogs.push(await newestLog(dataDir));
  await startAgain(running);
}

export type Shape = (database: { readonly url: string; readonly ownerSql: Sql }) => Promise<void>;

async function restoreOnce(running: Running, shape: Shape): Promise<void> {
  const restored = join(running.dataDir, 'restored');
  const isCopied = await copyInto(restored, { from: running.url, shape }).catch(() => false);
  if (isCopied) await replaceCluster(running, restored);
  await rm(restored, { recursive: true, force: true });
}

async function replaceCluster(running: Running, restored: string): Promise<void> {
  const { dataDir, earlierLogs } = running;
  thawAll(running);
  await running.server.stop();
  earlierLogs.push(await newestLog(dataDir), await newestLog(restored));
  await copyFile(join(clusterIn(dataDir), passwordFile), join(clusterIn(restored), passwordFile));
  await rm(clusterIn(dataDir), { recursive: true });
  await rename(clusterIn(restored), clusterIn(dataDir));
  await startAgain(running);
}

type CopyOptions = { readonly from: string; readonly shape: Shape };

async function copyInto(dataDir: string, { from, shape }: CopyOptions): Promise<true> {
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    await copyDatabase({ from, to: server.url });
    // Adopts the restored ledger, as an operator does.
    await migrate({ url: server.url, say: () => undefined });
    const { username, password } = new URL(from);
    const sql = connect({ url: server.url, max: 1, applicationName: 'kilim chaos' });
    try {
      await shape({ url: server.url, ownerSql: sql });
      await sql.unsafe(`alter role ${username} password '${password}'`);
    } finally {
      await sql.end({ timeout: 1 });
    }
    return true;
  } finally {
    await server.stop();
  }
}

/**
 * PostgreSQL keeps a few empty files of its log.
 * @throws when it needs one more and ends.
 */
async function useUpLogFiles(sql: Sql): Promise<void> {
  for (let file = 0; file < 20; file += 1) await startLogFile(sql);
}

/** 16 MB: more than is written while the disk is full. */
async function startLogFile(sql: Sql): Promise<void> {
  await sql`select pg_switch_wal()`;
  await sql`select pg_logical_emit_message(true, 'chaos', 'so that the new file is needed')`;
}
