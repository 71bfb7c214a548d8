import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { findPostmaster } from './postmaster.ts';
import { commandLine, type ServerUser } from './server-user.ts';

export type ServerCommand = {
  readonly program: string;
  readonly cluster: string;
  readonly user: ServerUser;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
};

export type ServerProcess = {
  /** Ends sessions, writes data, and waits for the exit. */
  readonly stop: () => Promise<void>;
};

/**
 * Runs the server ($@) and shuts it down when standard input ends: however this process ends, even
 * after `kill -9`. The server has its own process group, so Ctrl+C does not end it before the
 * graceful stop.
 */
const untilInputEnds = `
exec 3<&0
"$@" 3<&- </dev/null & server=$!
{ read -r _ <&3; kill -INT "$server"; } & reader=$!
exec 3<&-
wait "$server"; status=$?
kill "$reader" 2>/dev/null
exit "$status"
`;

const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;

/** @throws Error with the end of the server's log when it does not start. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const { program, cluster, user, logFile } = command;
  const settings = Object.entries({ ...command.settings, port: String(command.port) });
  const server = [program, '-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [executable, args] = commandLine(user, ['sh', '-c', untilInputEnds, 'sh', ...server]);
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(executable, args, {
    ...user.identity,
    cwd: '/',
    detached: true,
    env: serverEnvironment(),
    stdio: ['pipe', 'ignore', log],
  });
  // A broken pipe is reported by the exit event.
  child.stdin?.on('error', () => undefined);
  try {
    await untilReady(child, command);
  } catch (error) {
    await stopServer(child);
    throw error;
  }
  return { stop: () => stopServer(child) };
}

/** Minimal: variables like `PGDATA` would change the server, and macOS needs a locale. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C' };
}

async function untilReady(child: ChildProcess, { cluster, port, logFile }: ServerCommand): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  const failed = once(child, 'exit').then(() => true);
  // The file may still belong to an old server that is shutting down.
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (postmaster?.ready === true && postmaster.port === port) return;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) break;
    await Promise.race([failed, setTimeout(10)]);
  }
  const log = await readFile(logFile, 'utf8').catch(() => '');
  throw new Error(`The embedded PostgreSQL did not start. The end of ${logFile}:\n${log.slice(-1500)}`);
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.destroy();
  const stopped = await Promise.race([exited.then(() => true), setTimeout(stopTimeoutMs, false, { ref: false })]);
  if (!stopped) throw new Error(`The embedded PostgreSQL did not stop within ${stopTimeoutMs / 1000} seconds.`);
}
