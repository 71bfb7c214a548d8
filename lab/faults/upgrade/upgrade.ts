import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../../bff/src/core/database/database.ts';
import { migrate } from '../../../bff/src/core/database/migrate.ts';
import { simulatorDefaults } from '../../../bff/src/start/env-variables.ts';
import { connectSimulator, type SimulatorClient } from '../../square/simulator-client.ts';
import { type Simulator, startSimulator } from '../../square/start-simulator.ts';
import { type ChildServer, type StartingServer, spawnServer, startChildServer } from '../../testing/child-server.ts';
import { type BlankDatabase, blankDatabase } from '../../testing/postgres.ts';
import { adminPassword } from '../chaos/stage.ts';

/** One database and one Square for two releases. */
export type UpgradeStage = {
  /** Connects as the owner. */
  readonly ownerUrl: string;
  readonly ownerSql: Sql;
  readonly square: SimulatorClient;
  /** For servers and commands of any release. The login may not migrate. */
  readonly variables: Readonly<Record<string, string>>;
  /** Waits until the server is ready. Square then sends webhooks to it. */
  readonly start: (name: string, root: string) => Promise<NamedServer>;
  readonly spawn: (root: string) => StartingServer;
  readonly close: () => Promise<void>;
};

export type NamedServer = ChildServer & { readonly name: string };

/** @param migrations the folder of the first schema. */
export async function openUpgradeStage(
  adminUrl: string,
  { migrations, dataDir }: { readonly migrations: string; readonly dataDir: string },
): Promise<UpgradeStage> {
  const database = await blankDatabase(adminUrl);
  await migrate({ url: database.url, directory: migrations });
  const login = await makeLogin(database);
  const settings = { refundSettlesAfterMs: 300, webhookDelayMs: 5 };
  const simulator = await startSimulator({ ...simulatorDefaults, host: '127.0.0.1', port: 0, settings });
  const variables = {
    DATABASE_URL: login.url,
    DATA_DIR: dataDir,
    SQUARE_BASE_URL: simulator.url,
    ADMIN_PASSWORD: adminPassword,
    THROTTLE_FACTOR: '1000000',
    DEMO_PARENT_PORT: '0',
  };
  const started: StartingServer[] = [];
  return {
    ownerUrl: database.url,
    ownerSql: database.sql,
    square: connectSimulator(simulator.url),
    variables,
    start: async (name, root) => {
      const server = await startChildServer(variables, { root });
      started.push(server);
      await ready(server, simulator);
      return { ...server, name };
    },
    spawn: (root) => {
      const server = spawnServer(variables, { root });
      started.push(server);
      return server;
    },
    close: async () => {
      await Promise.all(started.map((server) => server.kill()));
      await simulator.close();
      await login.drop();
    },
  };
}

const readyWithinMs = 30_000;

/** With the application's rights, as in production. */
async function makeLogin({ url, sql, drop }: BlankDatabase) {
  const username = `upgrade_${randomBytes(6).toString('hex')}`;
  await sql.unsafe(`create role ${username} login password 'x'; grant kilim_server to ${username}`);
  return {
    url: Object.assign(new URL(url), { username, password: 'x' }).href,
    drop: async () => {
      await sql.unsafe(`drop role ${username}`);
      await drop();
    },
  };
}

/** As a load balancer does. */
async function ready({ url }: ChildServer, simulator: Simulator): Promise<void> {
  for (const deadline = Date.now() + readyWithinMs; ; ) {
    await setTimeout(1500);
    const answer = await fetch(`${url}/readyz`);
    if (answer.status === 200) break;
    if (Date.now() > deadline) throw new Error(`Not ready: ${answer.status} ${await answer.text()}`);
  }
  simulator.subscribe({
    url: `${url}/api/webhooks/square`,
    signatureKey: simulatorDefaults.webhookSignatureKey,
  });
}
