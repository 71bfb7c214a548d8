import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect, type Sql } from '../../src/database/database.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded/postgres.ts';
import { findPostmaster } from '../../src/database/embedded/postmaster.ts';
import { migrate } from '../../src/database/migrate.ts';
import { freezeFamily, type Thaw } from './freeze.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** A PostgreSQL that can be crashed. It syncs to disk, so that acknowledged commits survive. */
export type OwnDatabase = {
  readonly url: string;
  readonly ownerSql: Sql;
  /** Crashes the server and starts it again on the same port. */
  readonly crash: () => Promise<void>;
  /** Stops all its processes until the returned function is called or the server crashes. */
  readonly freeze: () => Promise<Thaw>;
  /**
   * Leaves no space on the disk for some time. With the log, PostgreSQL also needs a new file of its
   * write-ahead log, so it ends; it is started again when there is space. Absent where this process
   * cannot mount a disk.
   */
  readonly fillDisk?: (full: { readonly part: DiskPart; readonly forMs: number }) => Promise<void>;
  /** Everything that PostgreSQL logged. */
  readonly log: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** `tables`: only tables cannot grow. `log`: the write-ahead log cannot grow, either. */
export type DiskPart = 'tables' | 'log';

export async function openOwnDatabase(): Promise<OwnDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-chaos-'));
  const disk = mountSmallDisk(dataDir);
  let server = await startEmbeddedPostgres({ dataDir });
  const { url } = server;
  await migrate({ url });
  const ownerSql = connect({ url, max: 4, applicationName: 'kilim chaos' });
  const cluster = join(dataDir, 'postgres');
  const newestLog = () => readFile(join(dataDir, 'postgres.log'), 'utf8');
  const earlierLogs: string[] = [];
  const thaws = new Set<Thaw>();
  const freeze = async (): Promise<Thaw> => {
    const postmaster = await findPostmaster(cluster);
    if (postmaster === undefined) return () => undefined;
    const thaw = freezeFamily(postmaster.pid);
    thaws.add(thaw);
    return () => {
      if (thaws.delete(thaw)) thaw();
    };
  };
  const thawAll = () => {
    for (const thaw of thaws) thaw();
    thaws.clear();
  };
  const crashOnce = async () => {
    thawAll();
    const postmaster = await findPostmaster(cluster);
    if (postmaster !== undefined) process.kill(postmaster.pid, 'SIGQUIT');
    while ((await findPostmaster(cluster)) !== undefined) await setTimeout(10);
    // Ends the session that guarded the crashed server.
    await server.stop();
    // The next start truncates the log.
    earlierLogs.push(await newestLog());
    server = await startEmbeddedPostgres({ dataDir, port: Number(new URL(url).port) });
  };
  // Crashes run one after the other: two at the same time would start two servers on the same
  // files.
  let crashed: Promise<void> = Promise.resolve();
  const crash = () => {
    crashed = crashed.then(crashOnce);
    return crashed;
  };
  const fillDisk = async ({ fill, empty }: SmallDisk, { part, forMs }: { part: DiskPart; forMs: number }) => {
    await fill();
    if (part === 'log') await useUpLogFiles(ownerSql).catch(() => undefined);
    await setTimeout(forMs);
    await empty();
    if (part === 'log') await crash();
  };
  return {
    url,
    ownerSql,
    crash,
    freeze,
    ...(disk === undefined ? {} : { fillDisk: (full) => fillDisk(disk, full) }),
    log: async () => [...earlierLogs, await newestLog()].join('\n'),
    close: async () => {
      thawAll();
      await ownerSql.end({ timeout: 1 });
      await server.stop();
      await disk?.unmount();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL keeps a few empty files of its log. @throws when it needs one more and ends. */
async function useUpLogFiles(sql: Sql): Promise<void> {
  for (let file = 0; file < 20; file += 1) {
    await sql`select pg_switch_wal()`;
    await sql`select pg_logical_emit_message(true, 'chaos', 'so that the new file is needed')`;
  }
}
