import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../../bff/src/core/database/database.ts';
import { isDatabaseAway } from '../../../bff/src/core/database/failures.ts';
import { simulatorDefaults } from '../../../bff/src/start/env-variables.ts';
import { type Mailbox, startMailbox } from '../../mailbox/start-mailbox.ts';
import { connectSimulator, type SimulatorClient } from '../../square/simulator-client.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../square/start-simulator.ts';
import { patience } from '../../testing/patience.ts';
import { type Told, violations } from '../../testing/violations.ts';
import { type ChaosServer, startChaosServer } from './chaos-server.ts';
import { installSteppableClock, stepDatabaseClock } from './database-clock.ts';
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts';
import { mailViolations } from './mail-violations.ts';
import type { Shape } from './own-database.ts';
import type { Changes } from './points.ts';

/** Real servers on one real database, the local Square, and the means to break them. */
export type Stage = {
  readonly square: SimulatorClient;
  readonly simulator: Simulator;
  readonly proxy: DatabaseProxy;
  readonly mailbox: Mailbox;
  readonly ownerSql: Sql;
  /** The ledger must agree with these answers. */
  readonly told: Told[];
  readonly answers: string[];
  /** @param root the folder of another release. */
  readonly start: (changes?: Partial<Changes>, root?: string) => Promise<ChaosServer>;
  readonly servers: () => readonly ChaosServer[];
  readonly deaths: () => number;
  readonly output: () => string;
  readonly webhooks: { readonly url: string; readonly signatureKey: string };
  /** As half a minute would: any server may take over a dead server's work. */
  readonly expireLeases: () => Promise<void>;
  readonly shapeDatabase: Shape;
  readonly stepDatabaseClock: (secondsAhead: number) => Promise<void>;
  /** Every call is refused until it is restored. */
  readonly revokeToken: () => void;
  readonly restoreToken: () => void;
  readonly decided: () => Promise<void>;
  /** @returns the violations that remain after that time. */
  readonly settled: (withinMs?: number) => Promise<readonly string[]>;
  readonly mailed: (withinMs?: number) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

export const adminPassword = 'a Tabriz on the loom, 1911';

export type StageOptions = {
  /** Migrated, and used by nothing else. */
  readonly databaseUrl: string;
  /** Bypasses the proxy. */
  readonly ownerSql: Sql;
  /** The owner's; absent: `databaseUrl`. */
  readonly ownerUrl?: string;
  /** Absent: as in production. */
  readonly leaseSeconds?: number;
  readonly shape?: Shape | undefined;
};

export async function openStage(options: StageOptions): Promise<Stage> {
  const { databaseUrl, ownerUrl = databaseUrl, ownerSql, leaseSeconds, shape } = options;
  const shapeDatabase: Shape = async (database) => {
    if (leaseSeconds !== undefined) await shortenLeases(database.ownerSql, leaseSeconds);
    await installSteppableClock(database.ownerSql);
    await shape?.(database);
  };
  await shapeDatabase({ url: ownerUrl, ownerSql });
  // The simulator reads the access token here at every call, so a test can change it.
  const identity: SimulatorOptions & { accessToken: string } = {
    ...simulatorDefaults,
    host: '127.0.0.1',
    port: 0,
    settings,
  };
  const simulator = await startSimulator(identity);
  const square = connectSimulator(simulator.url);
  const proxy = await openDatabaseProxy(databaseUrl);
  const mailbox = await startMailbox({ host: '127.0.0.1', port: 0, mostKept: 10_000 });
  const started: ChaosServer[] = [];
  const told: Told[] = [];
  const servers = () => started.filter((server) => server.isAlive());
  const relay = await openRelay(servers);
  const webhooks = { url: relay.url, signatureKey: simulatorDefaults.webhookSignatureKey };
  simulator.subscribe(webhooks);
  return {
    square,
    simulator,
    proxy,
    mailbox,
    ownerSql,
    told,
    answers: [],
    servers,
    deaths: () => started.length - servers().length,
    webhooks,
    output: () => started.map((server) => server.output()).join('\n'),
    start: async (changes = {}, root) => {
      const peers = { DATABASE_URL: proxy.url, SQUARE_BASE_URL: simulator.url, SQUARE_WEBHOOK_URL: relay.url };
      const variables = { ...peers, ...mailbox.variables, ADMIN_PASSWORD: adminPassword };
      const server = await startChaosServer(variables, { ...changes, root });
      started.push(server);
      return server;
    },
    shapeDatabase,
    expireLeases: () => expireLeases(ownerSql),
    stepDatabaseClock: (secondsAhead) => stepDatabaseClock(ownerSql, secondsAhead),
    revokeToken: () => {
      identity.accessToken = 'another token';
    },
    restoreToken: () => {
      identity.accessToken = simulatorDefaults.accessToken;
    },
    decided: async () => {
      while ((await square.refunds()).some(({ refund }) => refund.status === 'PENDING')) await setTimeout(50);
    },
    settled: (withinMs = patience.timeout) => settled({ ownerSql, square, told }, withinMs),
    mailed: (withinMs = patience.timeout) => mailed(ownerSql, mailbox, withinMs),
    close: async () => {
      await Promise.all(servers().map((server) => server.kill()));
      await relay.close();
      await simulator.close();
      await proxy.close();
      await mailbox.close();
    },
  };
}

/** Long waits would test nothing more. */
const settings = { refundSettlesAfterMs: 300, approvesAfterMs: 300, webhookDelayMs: 5 };

type Looked = Pick<Stage, 'ownerSql' | 'square' | 'told'>;

/**
 * When nothing is in flight any more.
 * @returns the violations that remain after that time.
 */
export async function settled({ ownerSql, square, told }: Looked, withinMs: number): Promise<readonly string[]> {
  const deadline = Date.now() + withinMs;
  for (let round = 0; ; round += 1) {
    const found = await violations(ownerSql, square, told).catch((error: unknown) => {
      if (isDatabaseAway(error)) return ['The database is away'];
      throw error;
    });
    if (found.length === 0 || Date.now() > deadline) return found;
    // No request is running, so leases may be expired, and reconciliation need not wait ten minutes.
    if (round % 10 === 3) await Promise.allSettled([expireLeases(ownerSql)]);
    if (round % 20 === 10) await Promise.allSettled([ownerSql`update ledger.job set due_at = now()`]);
    await setTimeout(50);
  }
}

async function mailed(ownerSql: Sql, mailbox: Mailbox, withinMs: number): Promise<readonly string[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await mailViolations(ownerSql, mailbox.mails()).catch((error: unknown) => {
      if (isDatabaseAway(error)) return ['The database is away'];
      throw error;
    });
    if (found.length === 0 || Date.now() > deadline) return found;
    // A mail server that failed gets its mails now. After a restore a person decides about those of before.
    await Promise.allSettled([
      ownerSql`update ledger.mail set due_at = clock_timestamp() where state = 'open'`,
      ownerSql`
        select ledger.reopen_mail(kind, about) from ledger.mail
        where state = 'parked' and failure = 'RESTORED' and exists (select from ledger.cluster where may_lack_events)`,
    ]);
    await setTimeout(1000);
  }
}

/**
 * A dead server's effects and hints are then free after seconds. A trigger in the test database does it: the product
 * has no setting for it.
 */
async function shortenLeases(ownerSql: Sql, seconds: number): Promise<void> {
  await ownerSql.unsafe(`
    create or replace function public.shorten_lease() returns trigger language plpgsql as $$
    begin
      new.wait_seconds := least(new.wait_seconds, ${seconds});
      return new;
    end
    $$;
    create trigger shorten_lease before insert or update on ledger.effect
      for each row execute function public.shorten_lease();
    create trigger shorten_lease before insert or update on ledger.square_hint
      for each row execute function public.shorten_lease();`);
}

async function expireLeases(ownerSql: Sql): Promise<void> {
  await ownerSql`update ledger.effect set wait_seconds = 0 where state = 'open'`;
  await ownerSql`update ledger.square_hint set wait_seconds = 0 where handled_at is null`;
}

type Relay = { readonly url: string; readonly close: () => Promise<void> };

/** Forwards Square's webhooks to a living server, as a load balancer does. */
async function openRelay(servers: () => readonly ChaosServer[]): Promise<Relay> {
  let turn = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) body.push(chunk);
    const alive = servers();
    turn += 1;
    const server = alive[turn % alive.length];
    const { 'x-square-hmacsha256-signature': signature } = request.headers;
    const passedOn = await fetch(`${server?.url}${request.url}`, {
      method: 'POST',
      body: Buffer.concat(body),
      headers: { 'content-type': 'application/json', 'x-square-hmacsha256-signature': String(signature) },
    }).catch(() => undefined);
    response.writeHead(passedOn?.status ?? 502).end(await passedOn?.text().catch(() => ''));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/api/webhooks/square`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
