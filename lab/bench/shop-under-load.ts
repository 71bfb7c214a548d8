import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { simulatorDefaults } from '../../bff/src/start/env-variables.ts';
import { startMailbox } from '../mailbox/start-mailbox.ts';
import { connectSimulator } from '../square/simulator-client.ts';
import { startSimulator } from '../square/start-simulator.ts';
import { type ChildServer, startChildServer } from '../testing/child-server.ts';
import { paymentFor, twoRugs } from '../testing/shop.ts';
import { violations } from '../testing/violations.ts';
import { readImageProcess } from './image-process.ts';

/** The real server as the image starts it, with a PostgreSQL of its own, and a Square that answers without delay. */
export type ShopUnderLoad = {
  readonly server: ChildServer;
  readonly databaseUrl: string;
  /** PostgreSQL's files. */
  readonly cluster: string;
  /** Connected as the owner. */
  readonly owner: Sql;
  /** @returns the milliseconds until the payment was answered. */
  readonly payOrder: () => Promise<number>;
  /** Fast but wrong payments would be worthless. @throws Error that says what is wrong. */
  readonly audit: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** @param root of another checkout. Absent: this one. */
export async function openShopUnderLoad(root?: string): Promise<ShopUnderLoad> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
  const databaseDir = join(dataDir, 'database');
  const database = await startCountingPostgres(databaseDir);
  const simulator = await startSimulator({ ...simulatorDefaults, host: '127.0.0.1', port: 0 });
  const mailbox = await startMailbox({ host: '127.0.0.1', port: 0 });
  const { flags, variables: ofImage } = await readImageProcess(root);
  const variables = {
    ...ofImage,
    ...mailbox.variables,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SQUARE_BASE_URL: simulator.url,
    DEMO_PARENT_PORT: '0',
    LOG_LEVEL: 'warn',
    THROTTLE_FACTOR: '1000000',
    DECLINES_PER_HOUR: '10000',
  };
  const server = await startChildServer(variables, { root, flags });
  const owner = connect({ url: database.url, max: 1, applicationName: 'kilim bench' });
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  return {
    server,
    databaseUrl: database.url,
    cluster: join(databaseDir, 'postgres'),
    owner,
    payOrder: async () => {
      const quote = (await post('/api/quote', twoRugs)) as QuoteAnswer;
      const started = performance.now();
      const answer = (await post('/api/process-payment', paymentFor(quote))) as PaymentAnswer;
      if (!answer.success) throw new Error(`An order was not paid: ${JSON.stringify(answer)}\n${server.output()}`);
      return performance.now() - started;
    },
    audit: async () => {
      const found = await violations(owner, connectSimulator(simulator.url));
      if (found.length > 0) throw new Error(found.slice(0, 5).join('\n'));
    },
    stop: async () => {
      await owner.end();
      await server.stop();
      await simulator.close();
      await mailbox.close();
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** With `pg_stat_statements`, which needs a start of its own. */
async function startCountingPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const first = await startEmbeddedPostgres({ dataDir });
  const sql = connect({ url: first.url, max: 1, applicationName: 'kilim bench' });
  await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`;
  await sql`create extension pg_stat_statements`;
  await sql.end();
  await first.stop();
  return await startEmbeddedPostgres({ dataDir });
}
