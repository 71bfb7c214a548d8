import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { patience } from '@kilim/lab/testing/patience';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect } from '../../core/database/database.ts';
import { startEmbeddedPostgres } from './postgres.ts';
import { findPostmaster } from './postmaster.ts';

let dataDir: string;
const started: ChildProcess[] = [];

// All tests share one folder, as runs of one shop do. Each finds the data of the first run.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kilim-embedded-'));
  await withServer((sql) => sql`create table rug as select 'kilim' as name`);
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 50 }));

/** Starts another Kilim process on the same folder and waits until its database runs. */
async function startOtherProcess(): Promise<ChildProcess> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)};
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const cluster = () => join(dataDir, 'postgres');

async function runningServer(): Promise<number> {
  const postmaster = await findPostmaster(cluster());
  if (postmaster === undefined) throw new Error('No server is running.');
  return postmaster.pid;
}

async function withServer<Answer>(
  work: (sql: ReturnType<typeof connect>, url: string) => Promise<Answer>,
): Promise<Answer> {
  const server = await startEmbeddedPostgres({ dataDir });
  const sql = connect({ url: server.url, max: 1, applicationName: 'embedded spec' });
  try {
    return await work(sql, server.url);
  } finally {
    await sql.end();
    await server.stop();
  }
}

test('a start creates a PostgreSQL 18 that listens only on this machine and requires a password', async () => {
  await withServer(async (sql, url) => {
    const [row] = await sql`
      select current_setting('server_version_num')::int / 10000 as version, current_setting('listen_addresses') as addresses,
        current_setting('unix_socket_directories') as sockets, current_setting('server_encoding') as encoding`;
    expect(row).toEqual({ version: 18, addresses: '127.0.0.1', sockets: '', encoding: 'UTF8' });
    const guess = connect({
      url: Object.assign(new URL(url), { password: 'guess' }).href,
      max: 1,
      applicationName: 'guess',
    });
    await expect(guess`select 1`).rejects.toMatchObject({ code: '28P01' });
    await guess.end();
  });
});

test('files that are missing or in the way are named', async () => {
  const password = join(cluster(), 'kilim-password');
  const text = await readFile(password);
  await rm(password);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`${password} cannot be read (ENOENT): restore it`);
  await writeFile(password, text, { mode: 0o600 });
  const inTheWay = join(dataDir, 'in-the-way');
  await mkdir(inTheWay);
  await writeFile(join(inTheWay, 'postgres'), '');
  await expect(startEmbeddedPostgres({ dataDir: inTheWay })).rejects.toThrow('postgres is a file, not a directory');
  const below = join(inTheWay, 'postgres', 'below');
  await expect(startEmbeddedPostgres({ dataDir: below })).rejects.toThrow(`DATA_DIR: the directory ${below}`);
});

test('other users of the machine can read neither the password nor the data', async () => {
  const mode = async (path: string) => (await stat(path)).mode & 0o777;
  expect(await mode(cluster())).toBe(0o700);
  expect(await mode(join(cluster(), 'kilim-password'))).toBe(0o600);
  expect(await mode(join(dataDir, 'postgres.log'))).toBe(0o600);
});

test('committed data survive a stop and a start', async () => {
  await withServer((sql) => sql`create table pad as select 'green' as name`);
  expect(await withServer((sql) => sql`select name from pad`)).toEqual([{ name: 'green' }]);
});

test('a stop ends the server even during an open transaction', async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  const sql = connect({ url: server.url, max: 1, applicationName: 'embedded spec' });
  const sleeper = sql`select pg_sleep(60)`.execute();
  const ended = expect(sleeper).rejects.toThrow();
  await server.stop();
  await ended;
  await sql.end({ timeout: 0 });
  expect(await findPostmaster(cluster())).toBeUndefined();
});

test('a second Kilim on the same directory is refused, and the first continues', async () => {
  await startOtherProcess();
  const pid = await runningServer();
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/Another Kilim is running on .*set DATA_DIR/);
  expect(await runningServer()).toBe(pid);
});

test('kill -9 of the process ends its server, and the next start finds the data', async () => {
  const other = await startOtherProcess();
  await kill(other);
  await expect.poll(() => findPostmaster(cluster()), patience).toBeUndefined();
  expect(await withServer((sql) => sql`select name from rug`)).toEqual([{ name: 'kilim' }]);
});

test('a start right after kill -9 waits until the old server has ended', async () => {
  await kill(await startOtherProcess());
  expect(await withServer((sql) => sql`select name from rug`)).toEqual([{ name: 'kilim' }]);
});

test.skipIf(process.platform !== 'linux')('the next start ends a server whose watcher was killed too', async () => {
  const other = await startOtherProcess();
  const orphan = await runningServer();
  const watcher = Number((await readFile(`/proc/${orphan}/stat`, 'utf8')).split(' ')[3]);
  const reader = (await readFile(`/proc/${watcher}/task/${watcher}/children`, 'utf8')).trim().split(' ').map(Number);
  // Kill the reader first: when its watcher ends, Node closes the pipe, and the reader would stop
  // the server.
  for (const pid of [...reader.filter((pid) => pid !== orphan), watcher]) process.kill(pid, 'SIGKILL');
  await kill(other);
  await setTimeout(300);
  expect(await runningServer()).toBe(orphan);
  expect(await withServer((sql) => sql`select name from rug`)).toEqual([{ name: 'kilim' }]);
  expect(await findPostmaster(cluster())).toBeUndefined();
});

test('committed data survive kill -9 of the server itself', async () => {
  await startOtherProcess();
  process.kill(await runningServer(), 'SIGKILL');
  expect(await withServer((sql) => sql`select name from rug`)).toEqual([{ name: 'kilim' }]);
});

test('a stale postmaster.pid whose process id belongs to another program is ignored', async () => {
  await writeFile(join(cluster(), 'postmaster.pid'), `${process.pid}\n${cluster()}\n0\n1\n\n127.0.0.1\n\nready\n`);
  expect(await withServer((sql) => sql`select name from rug`)).toEqual([{ name: 'kilim' }]);
});

test('the next start removes the files of an interrupted first start', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'kilim-embedded-'));
  const killed = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)};
     await startEmbeddedPostgres({ dataDir: ${JSON.stringify(fresh)} });`,
  ]);
  const drafts = async () => (await readdir(fresh)).filter((name) => name.startsWith('postgres.new'));
  await expect.poll(drafts, { ...patience, interval: 5 }).not.toEqual([]);
  await kill(killed);
  const server = await startEmbeddedPostgres({ dataDir: fresh, persistent: false });
  await server.stop();
  expect(await drafts()).toEqual([]);
  // A server for tests deletes its data when it stops.
  expect(await readdir(fresh)).not.toContain('postgres');
  await rm(fresh, { recursive: true, maxRetries: 50 });
});
