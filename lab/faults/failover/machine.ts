import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Binaries, findBinaries } from '../../../bff/src/start/embedded/binaries.ts';
import { ensureCluster, readPassword } from '../../../bff/src/start/embedded/cluster.ts';
import { findPostmaster } from '../../../bff/src/start/embedded/postmaster.ts';
import { startServer } from '../../../bff/src/start/embedded/server-process.ts';
import { chooseServerUser, type ServerUser } from '../../../bff/src/start/embedded/server-user.ts';
import { freePort } from '../../testing/free-port.ts';
import { childrenOf, freezeFamily, signal, type Thaw } from '../chaos/freeze.ts';

export type Machine = {
  readonly name: string;
  readonly cluster: string;
  readonly port: number;
  readonly password: string;
  readonly user: ServerUser;
  readonly syncsToDisk: boolean;
  readonly binaries: Binaries;
};

/** `machine`: all processes end at once. `postmaster`: its sessions end when they notice. */
export type MachineDeath = 'machine' | 'postmaster';

export type MachineOptions = {
  readonly name: string;
  readonly syncsToDisk: boolean;
  readonly copiedFrom?: Machine;
};

export async function createMachine(directory: string, options: MachineOptions): Promise<Machine> {
  const { name, syncsToDisk, copiedFrom } = options;
  const home = join(directory, name);
  await mkdir(home, { recursive: true });
  const binaries = findBinaries();
  const user = await chooseServerUser({ program: binaries.postgres, directory: home });
  const cluster = join(home, 'postgres');
  if (copiedFrom === undefined) await ensureCluster({ cluster, user, binaries });
  const password = copiedFrom?.password ?? (await readPassword(cluster));
  return { name, cluster, port: await freePort(), password, user, binaries, syncsToDisk };
}

export function logFileOf({ cluster }: Machine): string {
  return join(cluster, '..', 'postgres.log');
}

export async function start(machine: Machine): Promise<void> {
  const { name, cluster, port, user, binaries, syncsToDisk } = machine;
  await startServer({
    program: binaries.postgres,
    cluster,
    user,
    port,
    settings: { ...settings, cluster_name: name, fsync: syncsToDisk ? 'on' : 'off' },
    logFile: logFileOf(machine),
  });
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // A standby is copied without its write-ahead log, and reads it from the primary.
  wal_keep_size: '512MB',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
};

export async function kill({ cluster }: Machine, how: MachineDeath): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) return;
  const children = childrenOf(postmaster.pid);
  signal(postmaster.pid, 'SIGKILL');
  if (how === 'machine') for (const pid of children) signal(pid, 'SIGKILL');
  while (children.some(isAlive) || isAlive(postmaster.pid)) await setTimeout(5);
}

export async function freezeMachine({ cluster }: Machine): Promise<Thaw> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) throw new Error('The machine does not run');
  return freezeFamily(postmaster.pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
