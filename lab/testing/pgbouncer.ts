import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chooseServerUser, commandLine } from '../../bff/src/start/embedded/server-user.ts';
import { freePort } from './free-port.ts';

export type PgBouncer = {
  readonly url: string;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

export type PgBouncerOptions = {
  /** Its login is the only one that PgBouncer accepts. */
  readonly databaseUrl: string;
  /** Of `[pgbouncer]`, without the port and the files. */
  readonly settings: string;
  readonly program: string;
};

export type InstalledPgBouncer = {
  readonly program: string;
  readonly version: string;
  /** It can know its clients' prepared statements. */
  readonly isPreparing: boolean;
};

/** Debian's, and the one that `KILIM_TEST_PGBOUNCER` names. */
export async function findPgBouncers(): Promise<readonly InstalledPgBouncer[]> {
  const named = process.env['KILIM_TEST_PGBOUNCER'];
  const programs = ['/usr/sbin/pgbouncer', ...(named ? [named] : [])];
  const versions = programs.map(async (program) => {
    const told = await promisify(execFile)(program, ['--version']).catch(() => undefined);
    const [, version = '', major, minor] = /^PgBouncer ((\d+)\.(\d+)\S*)/.exec(told?.stdout ?? '') ?? [];
    return { program, version, isPreparing: Number(major) > 1 || Number(minor) >= 21 };
  });
  return (await Promise.all(versions)).filter(({ version }) => version !== '');
}

/** `[pgbouncer]` of the documentation, without the address and the users. */
export async function documentedSettings() {
  const document = await readFile(new URL('../../docs/larger/poolers.md', import.meta.url), 'utf8');
  const sections = document.matchAll(/```ini\n[^`]*\[pgbouncer\]\n([^`]*)```/g);
  const texts = [...sections].map(([, text = '']) => text.replace(/^(listen_addr|listen_port|auth_file) .*\n/gm, ''));
  const [withPrepared = '', withoutPrepared = ''] = texts;
  return { withPrepared, withoutPrepared };
}

/** PgBouncer never outlives the test's process. */
const untilInputEnds = `
exec 3<&0
"$@" 3<&- </dev/null & server=$!
{ read -r _ <&3; kill -KILL "$server"; } & reader=$!
exec 3<&-
wait "$server"; status=$?
kill "$reader" 2>/dev/null
exit "$status"
`;

const readyWithinMs = 10_000;

/** @throws Error with PgBouncer's log when it does not start. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { databaseUrl, settings, program } = options;
  const directory = await mkdtemp(join(tmpdir(), 'kilim-pgbouncer-'));
  const port = await freePort();
  const files = await writeConfiguration({ directory, databaseUrl, settings, port });
  const user = await chooseServerUser({ program, directory: '/' });
  for (const path of user.owner === undefined ? [] : [directory, ...files]) {
    await chown(path, user.owner?.uid ?? 0, user.owner?.gid ?? 0);
  }
  const [executable, args] = commandLine(user, ['sh', '-c', untilInputEnds, 'sh', program, files[0]]);
  const child = spawn(executable, args, { ...user.identity, cwd: '/', stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stdin.on('error', () => undefined);
  const stop = async () => {
    child.stdin.destroy();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  const deadline = Date.now() + readyWithinMs;
  while (!log.includes('process up')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`PgBouncer did not start:\n${log}`);
    }
    await setTimeout(10);
  }
  return { url: through(databaseUrl, port), log: () => log, stop };
}

type Configuration = Omit<PgBouncerOptions, 'program'> & { readonly directory: string; readonly port: number };

async function writeConfiguration({ directory, databaseUrl, settings, port }: Configuration) {
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const users = join(directory, 'userlist.txt');
  const configuration = join(directory, 'pgbouncer.ini');
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    configuration,
    `[databases]
${name} = host=${hostname} port=${databasePort || 5432} dbname=${name}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_file = ${users}
unix_socket_dir =
${settings}
`,
  );
  return [configuration, users] as const;
}

function through(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
