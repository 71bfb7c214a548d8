import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { codeOf } from '../../core/runtime/diagnosis.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, readPassword, superuser } from './cluster.ts';
import { findPostmaster } from './postmaster.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { chooseServerUser, type ServerUser } from './server-user.ts';

const database = 'kilim';
/** A session of the starting process holds this lock as long as the process lives. */
const ownerLock = 0x6b696c69;

export type EmbeddedPostgresOptions = {
  readonly dataDir: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** `false` is for tests: no sync to disk, and stopping deletes the data. */
  readonly persistent?: boolean;
};

export type EmbeddedPostgres = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

/**
 * The server stops with this process, even after `kill -9`, and keeps all committed data.
 * @throws Error with a sentence for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new Error('There is no embedded PostgreSQL on Windows: use WSL, or set DATABASE_URL.');
  const dataDir = resolve(options.dataDir);
  const persistent = options.persistent ?? true;
  const binaries = findBinaries();
  await makeDirectory(dataDir);
  const user = await prepareDirectory(dataDir, binaries);
  const cluster = join(dataDir, 'postgres');
  await endLeftOverServer(cluster);
  await ensureCluster({ cluster, user, binaries });
  const password = await readPassword(cluster);
  const { server, port } = await startOnFreePort(options.port ?? 0, (port) =>
    startServer({
      program: binaries.postgres,
      cluster,
      user,
      port,
      settings: persistent ? commonSettings : { ...commonSettings, ...settingsOfTests },
      logFile: join(dataDir, 'postgres.log'),
    }),
  );
  const owner = ownerSession({ port, password });
  const stop = async () => {
    await owner.end({ timeout: 1 });
    await server.stop();
    if (!persistent) await rm(cluster, { recursive: true, force: true });
  };
  try {
    await owner`select pg_advisory_lock(${ownerLock})`;
    await createDatabase(owner);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf({ port, password }), stop };
}

export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const cluster = join(resolve(dataDir), 'postgres');
  const postmaster = await findPostmaster(cluster);
  if (postmaster?.ready !== true || (await askForOwner(cluster, postmaster.port)) !== 'owned') return undefined;
  return urlOf({ port: postmaster.port, password: await readPassword(cluster) });
}

function urlOf({ port, password }: { readonly port: number; readonly password: string }): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

const commonSettings = {
  listen_addresses: '127.0.0.1',
  // No socket file: its path may be too long, and /tmp is shared with other users.
  unix_socket_directories: '',
  max_connections: '100',
  // Otherwise the log would quote rows, including names and addresses.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Fifteen servers share one in `shutdown.long.spec.ts`. */
const settingsOfTests = { max_connections: '200', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

async function makeDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    throw new Error(`DATA_DIR: the directory ${dataDir} cannot be created (${codeOf(error)}). Set it to another one.`, {
      cause: error,
    });
  }
}

async function prepareDirectory(dataDir: string, binaries: Binaries): Promise<ServerUser> {
  // If root created the folder, another user runs the server and needs to pass through it.
  if (process.getuid?.() === 0) await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
  return await chooseServerUser({ program: binaries.postgres, directory: dataDir });
}

/**
 * After `kill -9` the old server may be shutting down, or running if its watcher was killed too. It may be stopped if
 * no process holds the owner's lock.
 */
async function endLeftOverServer(cluster: string): Promise<void> {
  const started = Date.now();
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (postmaster === undefined) return;
    const waitedMs = Date.now() - started;
    if (waitedMs > 20_000) {
      throw new Error(
        `A PostgreSQL (process ${postmaster.pid}) that does not end uses ${cluster}: end it, or set DATA_DIR.`,
      );
    }
    const answer = postmaster.ready ? await askForOwner(cluster, postmaster.port) : 'no answer';
    // The lock of a killed process may last a moment longer.
    if (answer === 'owned' && waitedMs > 500) {
      throw new Error(`Another Kilim is running on ${cluster}: stop it, or set DATA_DIR to another directory.`);
    }
    if (answer === 'orphaned') process.kill(postmaster.pid, 'SIGINT');
    await setTimeout(50);
  }
}

async function askForOwner(cluster: string, port: number): Promise<'owned' | 'orphaned' | 'no answer'> {
  const session = ownerSession({ port, password: await readPassword(cluster) });
  try {
    const [row] = await session<{ free: boolean }[]>`select pg_try_advisory_lock(${ownerLock}) as free`;
    return row?.free === true ? 'orphaned' : 'owned';
  } catch {
    return 'no answer';
  } finally {
    await session.end({ timeout: 1 });
  }
}

/** A session that ends loses the lock. */
function ownerSession({ port, password }: { readonly port: number; readonly password: string }) {
  return postgres({
    host: '127.0.0.1',
    port,
    username: superuser,
    password,
    database: 'postgres',
    max: 1,
    connect_timeout: 2,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: 'kilim owner' },
    onnotice: () => undefined,
  });
}

async function createDatabase(owner: ReturnType<typeof ownerSession>): Promise<void> {
  const found = await owner`select 1 from pg_database where datname = ${database}`;
  if (found.length === 0) await owner`create database ${owner(database)}`;
}

/** Another program may take the chosen port first. */
async function startOnFreePort(
  wanted: number,
  start: (port: number) => Promise<ServerProcess>,
): Promise<{ readonly server: ServerProcess; readonly port: number }> {
  const port = wanted === 0 ? await freePort() : wanted;
  try {
    return { server: await start(port), port };
  } catch (error) {
    if (wanted !== 0) throw error;
    const other = await freePort();
    return { server: await start(other), port: other };
  }
}

async function freePort(): Promise<number> {
  return await new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
