import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../../bff/src/core/database/database.ts';
import { freePort } from '../../testing/free-port.ts';
import { childrenOf, signal } from '../chaos/freeze.ts';
import type { Cluster } from './failover.ts';
import { onDatabase } from './pair.ts';

type Member = {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly data: string;
  readonly config: string;
  patroni: ChildProcess | undefined;
};

const password = 'patroni';
const longestMs = 180_000;

/**
 * Two machines with Patroni 4, which decides itself who is the primary, and the etcd that it needs. The configuration is
 * that of docs/larger/high-availability.md without its watchdog.
 * @param root of a system with patroni, etcd and PostgreSQL 18, which is entered with `chroot`: Debian's packages
 *   `patroni`, `etcd-server` and `postgresql-18`. `/` is this one.
 */
export async function openPatroni(root: string): Promise<Cluster> {
  const directory = await mkdtemp(join(root, 'tmp/kilim-patroni-'));
  await chmod(directory, 0o777);
  /** As a process inside sees the path. */
  const inside = (path: string) => (root === '/' ? path : path.slice(root.replace(/\/$/, '').length));
  const start = (name: string, program: string, ...args: readonly string[]) => {
    const child = spawn('chroot', ['--userspec=postgres', root, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(directory, `${name}.log`), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  };
  const etcd = { clients: await freePort(), peers: await freePort() };
  const [clients, peers] = [`http://127.0.0.1:${etcd.clients}`, `http://127.0.0.1:${etcd.peers}`];
  const keeper = start(
    'etcd',
    'etcd',
    ...['--data-dir', inside(join(directory, 'etcd')), '--name', 'keeper', '--initial-cluster', `keeper=${peers}`],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
  );
  const documented = await documentedYaml();
  const createMember = async (name: string): Promise<Member> => {
    const member = {
      ...{ name, port: await freePort(), restPort: await freePort() },
      data: join(directory, name, 'data'),
      config: join(directory, `${name}.yml`),
      patroni: undefined,
    };
    await mkdir(join(directory, name));
    await chmod(join(directory, name), 0o777);
    await writeFile(member.config, yamlOf(member, { etcd: etcd.clients, data: inside(member.data), documented }));
    return member;
  };
  const startMember = (member: Member) => {
    member.patroni = start(member.name, 'patroni', inside(member.config));
  };
  let [primary, standby] = [await createMember('a'), await createMember('b')];
  startMember(primary);
  await untilIs(primary, 'primary');
  startMember(standby);
  await untilIs(standby, 'synchronous');
  await onDatabase(urlOf(primary), 'postgres', (sql) => sql`create database kilim`);
  const url = urlOf(primary, standby);
  const ownerSql = connect({ url, max: 4, applicationName: 'kilim failover' });
  return {
    url,
    ownerSql,
    readStandby: (read) => onDatabase(urlOf(standby), 'kilim', read),
    killPrimary: (how) => kill(primary, how === 'machine'),
    promote: async () => {
      await untilIs(standby, 'primary');
      [primary, standby] = [standby, primary];
    },
    rebuild: async () => {
      startMember(standby);
      await untilIs(standby, 'synchronous');
    },
    close: async () => {
      await ownerSql.end({ timeout: 1 });
      for (const member of [standby, primary]) await kill(member, true);
      keeper.kill('SIGKILL');
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function urlOf(...members: readonly Member[]): string {
  return `postgres://postgres:${password}@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/kilim`;
}

/** @returns what the page says about Patroni, without the device that ends the machine. */
async function documentedYaml(): Promise<string> {
  const page = new URL('../../../docs/larger/high-availability.md', import.meta.url);
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(await readFile(page, 'utf8')) ?? [];
  if (yaml === undefined) throw new Error(`${page.pathname} has no configuration of Patroni`);
  return yaml.replace(/^watchdog:\n(?: .*\n)+/m, '');
}

type Place = { readonly etcd: number; readonly data: string; readonly documented: string };

function yamlOf({ name, port, restPort }: Member, { etcd, data, documented }: Place): string {
  const login = (username: string) => `{ username: ${username}, password: ${password} }`;
  return `scope: kilim
name: ${name}
restapi: { listen: "127.0.0.1:${restPort}", connect_address: "127.0.0.1:${restPort}" }
etcd3: { host: "127.0.0.1:${etcd}" }
${documented}
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${data}
  bin_dir: /usr/lib/postgresql/18/bin
  pgpass: ${data}/../pgpass
  authentication:
    superuser: ${login('postgres')}
    replication: ${login('replicator')}
    rewind: ${login('rewinder')}
  parameters: { unix_socket_directories: /tmp, max_connections: 200, timezone: UTC }
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication all 127.0.0.1/32 scram-sha-256
`;
}

async function untilIs({ name, restPort }: Member, role: 'primary' | 'synchronous'): Promise<void> {
  const deadline = Date.now() + longestMs;
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${restPort}/${role}`).catch(() => undefined);
    if (answer?.status === 200) return;
    await setTimeout(50);
  }
  throw new Error(`Machine ${name} is not ${role} after ${longestMs / 1000} seconds.`);
}

/** Patroni and PostgreSQL at once. */
async function kill(member: Member, withSessions: boolean): Promise<void> {
  const pid = Number((await readFile(join(member.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  const sessions = pid > 0 ? childrenOf(pid) : [];
  member.patroni?.kill('SIGKILL');
  member.patroni = undefined;
  if (pid > 0) for (const each of withSessions ? [pid, ...sessions] : [pid]) signal(each, 'SIGKILL');
}
