import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { migrationLock } from '../../bff/src/core/database/migrate.ts';
import { findPostmaster } from '../../bff/src/start/embedded/postmaster.ts';
import { addressOf, type ChildServer, spawnServer, startChildServer } from './child-server.ts';
import { until } from './patience.ts';
import { cloneDatabase } from './postgres.ts';
import { paymentFor, twoRugs } from './shop.ts';
import { signInFirst } from './sign-in.ts';
import { openWire } from './wire.ts';

const adminPassword = 'a Tabriz on the loom, 1911';

/** In states in which a clean exit is difficult. */
export function openStuckServers(databaseUrl: string, adminUrl: string) {
  const tools = openTools(databaseUrl);
  return {
    close: tools.close,
    spawn: tools.spawn,
    idle: () => tools.start(),
    ...withClients(tools),
    ...withFaults(tools),
    ...starting(tools, adminUrl),
    ...withEmbedded(tools),
  };
}

type Tools = ReturnType<typeof openTools>;

function openTools(databaseUrl: string) {
  const undo: (() => unknown)[] = [];
  const environment = async (variables: Readonly<Record<string, string>>) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kilim-shutdown-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    return {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: adminPassword,
      DEMO_PARENT_PORT: '0',
      ...variables,
    };
  };
  const start = async (variables: Readonly<Record<string, string>> = {}, loaders: readonly string[] = []) => {
    const server = await startChildServer(await environment(variables), { loaders });
    undo.push(server.kill);
    return server;
  };
  const spawn = async (variables: Readonly<Record<string, string>> = {}) => {
    const given = await environment(variables);
    const server = spawnServer(given);
    undo.push(server.kill);
    return { ...server, dataDir: given.DATA_DIR };
  };
  /** Sends only this text and reads nothing of the answer. */
  const send = async (server: ChildServer, text: string): Promise<Socket> => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    undo.push(() => socket.destroy());
    await new Promise((connected) => socket.once('connect', connected));
    socket.pause().write(text);
    return socket;
  };
  const wired = async () => {
    const wire = await openWire(databaseUrl);
    undo.push(wire.close);
    return wire;
  };

  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  return { undo, environment, start, spawn, send, wired, close };
}

function withClients({ start, send, undo }: Tools) {
  return {
    withKeptConnections: async () => {
      const server = await start();
      for (let times = 0; times < 5; times += 1) {
        await send(server, times === 0 ? '' : `GET /healthz HTTP/1.1\r\nhost: kilim\r\n\r\n`);
      }
      return server;
    },
    withSlowClient: async () => {
      const server = await start();
      const head = `POST /api/quote HTTP/1.1\r\nhost: kilim\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n`;
      const socket = await send(server, head);
      const trickle = setInterval(() => socket.write(' '), 200);
      undo.push(() => clearInterval(trickle));
      return server;
    },
    withUnreadExport: async () => {
      const server = await start();
      const cookie = await signInFirst(server, adminPassword);
      const path = '/api/admin/ledger/export?format=jsonl&from=2026-09-01&to=2026-11-30';
      const office = { ...server, url: server.officeUrl };
      const socket = await send(office, `GET ${path} HTTP/1.1\r\nhost: kilim\r\ncookie: ${cookie}\r\n\r\n`);
      await until('the export has begun', () => socket.readableLength > 0);
      return server;
    },
    withUnreadOutput: async () => {
      const server = await start({ LOG_LEVEL: 'trace' });
      server.process.stdout?.pause();
      // More lines than the pipe holds: each request writes one.
      for (let times = 0; times < 20; times += 1) {
        await Promise.all(
          Array.from({ length: 50 }, () => fetch(`${server.url}/api/config`).then((answer) => answer.text())),
        );
      }
      return server;
    },
  };
}

function withFaults({ environment, start, wired, undo }: Tools) {
  return {
    withSilentDatabase: async () => {
      const wire = await wired();
      const server = await start({ DATABASE_URL: wire.url });
      wire.hold();
      void fetch(`${server.url}/api/orders/payment/${crypto.randomUUID()}`).catch(() => undefined);
      return server;
    },
    withoutDatabase: async () => {
      const wire = await wired();
      const server = await start({ DATABASE_URL: wire.url });
      wire.cut();
      void fetch(`${server.url}/api/orders/payment/${crypto.randomUUID()}`).catch(() => undefined);
      return server;
    },
    withSilentSquare: async () => {
      let asked = 0;
      const square = createServer(() => {
        asked += 1;
      });
      await new Promise<void>((listening) => square.listen(0, '127.0.0.1', listening));
      undo.push(
        () => square.close(),
        () => square.closeAllConnections(),
      );
      const server = await start({ SQUARE_BASE_URL: `http://127.0.0.1:${(square.address() as AddressInfo).port}` });
      const quote = (await (await post(server, '/api/quote', twoRugs)).json()) as QuoteAnswer;
      const before = asked;
      void post(server, '/api/process-payment', paymentFor(quote)).catch(() => undefined);
      await until('Square is asked', () => asked > before);
      return server;
    },
    /** Opening a pipe without a writer blocks a thread, as a hanging disk does. */
    withBlockedThread: async () => {
      const { DATA_DIR } = await environment({});
      const pipe = join(DATA_DIR, 'pipe');
      const block = `import { execFileSync } from 'node:child_process'; import { open } from 'node:fs';
        execFileSync('mkfifo', [${JSON.stringify(pipe)}]); open(${JSON.stringify(pipe)}, 'r', () => undefined);`;
      return await start({ DATA_DIR }, [`data:text/javascript,${encodeURIComponent(block)}`]);
    },
  };
}

function starting({ spawn, wired, undo }: Tools, adminUrl: string) {
  return {
    startingWithSilentDatabase: async () => {
      const wire = await wired();
      wire.hold();
      const server = await spawn({ DATABASE_URL: wire.url });
      await until('the server connects', () => wire.connections() > 0);
      return server;
    },
    waitingForMigrations: async () => {
      // While the lock is held no server can start on this database.
      const { url, ownerSql: other, drop } = await cloneDatabase(adminUrl);
      undo.push(drop);
      const held = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const holding = other.begin(async (transaction) => {
        await transaction`set local idle_in_transaction_session_timeout = 0`;
        await transaction`select pg_advisory_xact_lock(${migrationLock[0]}::int, ${migrationLock[1]}::int)`;
        held.resolve();
        await released.promise;
      });
      undo.push(async () => {
        released.resolve();
        await holding;
      });
      await Promise.race([held.promise, holding]);
      const server = await spawn({ DATABASE_URL: url });
      await until('the server waits', async () => (await waiting(other)) === 1);
      return server;
    },
  };
}

function withEmbedded({ environment, start, undo }: Tools) {
  return {
    withEmbeddedDatabase: () => start({ DATABASE_URL: '' }),
    withFrozenEmbeddedDatabase: async () => {
      const { DATA_DIR } = await environment({});
      const server = await start({ DATABASE_URL: '', DATA_DIR });
      const postmaster = await findPostmaster(join(DATA_DIR, 'postgres'));
      if (postmaster === undefined) throw new Error('There is no embedded database');
      process.kill(postmaster.pid, 'SIGSTOP');
      undo.push(() => process.kill(postmaster.pid, 'SIGCONT'));
      return server;
    },
  };
}

function post(server: ChildServer, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(addressOf(server, path), { method: 'POST', headers, body: JSON.stringify(body) });
}

async function waiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  return row?.waiting ?? 0;
}

/** With the database folder, which another user may own. */
export async function filesBelow(dataDir: string): Promise<string> {
  const names = await Promise.all([dataDir, join(dataDir, 'postgres')].map((path) => readdir(path).catch(() => [])));
  return names.flat().join(' ');
}
