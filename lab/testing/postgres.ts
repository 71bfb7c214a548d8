import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, inject } from 'vitest';
import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { startFreshCluster } from './copy-database.ts';

/** On a busy machine a connection may take longer than a server waits. */
const patient = { connectTimeoutSeconds: 30 };
const image = 'postgres:18-alpine';
const template = 'kilim_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker, because an open transaction delays the exports of its whole server. */
    postgresAdminUrls: readonly string[];
  }
}

export type TestServer = {
  /** As superuser, to a database that no test uses: for `cloneDatabase`. */
  readonly adminUrl: string;
  readonly stop: () => Promise<void>;
};

export type TestDatabase = {
  readonly url: string;
  /** As superuser: to prepare data and to inspect the tables. */
  readonly ownerSql: Sql;
  /** With the application's rights: for the code under test. */
  readonly appSql: Sql;
  readonly drop: () => Promise<void>;
};

/**
 * With a migrated template: from Testcontainers when a Docker engine has the image or can pull it, else embedded.
 * `KILIM_TEST_DATABASE` set to `docker` or `embedded` forces the choice.
 */
export async function startTestServers(count: number): Promise<readonly TestServer[]> {
  const start = await chooseServer(process.env['KILIM_TEST_DATABASE']);
  const started = await Promise.allSettled(Array.from({ length: count }, () => startWithTemplate(start)));
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed === undefined) return servers;
  await stopAll(servers);
  throw failed.reason;
}

export async function stopAll(servers: readonly TestServer[]): Promise<void> {
  await Promise.all(servers.map(({ stop }) => stop()));
}

async function startWithTemplate(start: () => Promise<TestServer>): Promise<TestServer> {
  const server = await start();
  try {
    const admin = connectAsAdmin(server.adminUrl);
    await admin`create database ${admin(template)} is_template true`;
    await admin.end();
    await migrate({ url: withDatabase(server.adminUrl, template) });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** As superuser; no other worker uses this server. */
export function postgresOfWorker(): string {
  const url = inject('postgresAdminUrls')[Number(process.env['VITEST_POOL_ID']) - 1];
  if (url === undefined) throw new Error('This worker has no PostgreSQL');
  return url;
}

/** Empty and migrated. */
export async function cloneDatabase(adminUrl: string = postgresOfWorker()): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connectAsAdmin(adminUrl);
  // Faster than writing through the log, because the test server never syncs.
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  const url = withDatabase(adminUrl, name);
  const ownerSql = connect({ ...patient, url, max: 4, applicationName: 'kilim test owner' });
  const appSql = connect({ ...patient, url, role: 'kilim_server', max: 8, applicationName: 'kilim test app' });
  const drop = async () => {
    await Promise.all([ownerSql.end({ timeout: 1 }), appSql.end({ timeout: 1 })]);
    await dropDatabase(admin, name);
    await admin.end();
  };
  return { url, ownerSql, appSql, drop };
}

export type BlankDatabase = {
  /** As superuser. */
  readonly url: string;
  readonly sql: Sql;
  readonly drop: () => Promise<void>;
};

export async function blankDatabase(adminUrl: string = postgresOfWorker()): Promise<BlankDatabase> {
  const name = `blank_${randomUUID().replaceAll('-', '')}`;
  const admin = connectAsAdmin(adminUrl);
  await admin`create database ${admin(name)}`;
  const url = withDatabase(adminUrl, name);
  const sql = connect({ ...patient, url, max: 4, applicationName: 'kilim test owner' });
  const drop = async () => {
    await sql.end({ timeout: 1 });
    await dropDatabase(admin, name);
    await admin.end();
  };
  return { url, sql, drop };
}

/**
 * Gives up after two seconds: a drop waits for every session of the server, and while it waits no event of any database
 * can be exported. What is left goes with the server.
 */
async function dropDatabase(admin: Sql, name: string): Promise<void> {
  await admin`set statement_timeout = '2s'`;
  await admin`drop database ${admin(name)} with (force)`.catch((error: { readonly code?: string }) => {
    if (error.code !== queryCanceled) throw error;
  });
}

const queryCanceled = '57014';

/** Creating a database waits for a checkpoint of the whole server. */
function connectAsAdmin(url: string): Sql {
  return connect({ ...patient, url, max: 1, applicationName: 'kilim test', statementTimeoutSeconds: 0 });
}

/** For the top of a spec file; dropped after its last test. */
export async function testDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase();
  afterAll(database.drop);
  return database;
}

async function chooseServer(wanted: string | undefined): Promise<() => Promise<TestServer>> {
  if (wanted === 'embedded') {
    say('Test databases: embedded PostgreSQL (KILIM_TEST_DATABASE)');
    return startEmbedded;
  }
  const refusal = await explainMissingDocker();
  if (refusal === undefined) {
    say(`Test databases: ${image} in Docker`);
    return startContainer;
  }
  if (wanted === 'docker') throw new Error(`KILIM_TEST_DATABASE=docker, but ${refusal}.`);
  say(`Test databases: embedded PostgreSQL (${refusal})`);
  return startEmbedded;
}

async function startContainer(): Promise<TestServer> {
  // The package loads slowly.
  const [{ PostgreSqlContainer }, { Wait }] = await Promise.all([
    import('@testcontainers/postgresql'),
    import('testcontainers'),
  ]);
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];
  const container = await new PostgreSqlContainer(image)
    .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    // The usual health check starts a process four times a second.
    .withHealthCheck({ test: ['CMD', 'true'], interval: 24 * 60 * 60 * 1000 })
    .withWaitStrategy(Wait.forAll([Wait.forListeningPorts(), Wait.forSuccessfulCommand('pg_isready -h localhost')]))
    .start();
  return {
    adminUrl: container.getConnectionUri(),
    stop: async () => {
      await container.stop();
    },
  };
}

async function startEmbedded(): Promise<TestServer> {
  const { url, stop } = await startFreshCluster();
  return { adminUrl: url, stop };
}

/** @returns why no container can be started; undefined when one can. */
async function explainMissingDocker(): Promise<string | undefined> {
  if ((await askDocker({ method: 'GET', path: '/_ping', timeoutMs: 2000 })) !== 200) return 'no Docker engine answers';
  if ((await askDocker({ method: 'GET', path: `/images/${image}/json`, timeoutMs: 2000 })) === 200) return undefined;
  const [fromImage, tag] = image.split(':');
  const pulled = await askDocker({
    method: 'POST',
    path: `/images/create?fromImage=${fromImage}&tag=${tag}`,
    timeoutMs: 90_000,
  });
  const present =
    pulled === 200 && (await askDocker({ method: 'GET', path: `/images/${image}/json`, timeoutMs: 2000 })) === 200;
  return present ? undefined : `Docker cannot get ${image}`;
}

type DockerCall = { readonly method: 'GET' | 'POST'; readonly path: string; readonly timeoutMs: number };

/** @returns the status, once the body has ended: a pull ends with its body. */
async function askDocker({ method, path, timeoutMs }: DockerCall): Promise<number | undefined> {
  const host = new URL(process.env['DOCKER_HOST'] || 'unix:///var/run/docker.sock');
  const address = host.protocol === 'unix:' ? { socketPath: host.pathname } : { host: host.hostname, port: host.port };
  return await new Promise((answer) => {
    const call = request(
      { ...address, method, path, signal: AbortSignal.timeout(timeoutMs) },
      (response: IncomingMessage) => {
        response.on('end', () => answer(response.statusCode)).on('error', () => answer(undefined));
        response.resume();
      },
    );
    call.on('error', () => answer(undefined)).end();
  });
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
