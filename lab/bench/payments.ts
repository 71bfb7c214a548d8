import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { simulatorDefaults } from '../../bff/src/start/env-variables.ts';
import { startMailbox } from '../mailbox/start-mailbox.ts';
import { connectSimulator } from '../square/simulator-client.ts';
import { startSimulator } from '../square/start-simulator.ts';
import { startChildServer } from '../testing/child-server.ts';
import { paymentFor, twoRugs } from '../testing/shop.ts';
import { violations } from '../testing/violations.ts';
import { appendPaidOrder, appendsOfPaidOrder, median, rate } from './measure.ts';

// Measures how many orders a second are paid through the real server, with a Square that answers without delay, and the
// bare append rate in turn. The ratio counts: all share the machine. Usage: node lab/bench/payments.ts

const rounds = 5;
const buyers = [1, 16];

const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
const database = await startEmbeddedPostgres({ dataDir: join(dataDir, 'database') });
const simulator = await startSimulator({ ...simulatorDefaults, host: '127.0.0.1', port: 0 });
const mailbox = await startMailbox({ host: '127.0.0.1', port: 0 });
const server = await startChildServer({
  ...mailbox.variables,
  DATA_DIR: dataDir,
  DATABASE_URL: database.url,
  SQUARE_BASE_URL: simulator.url,
  DEMO_PARENT_PORT: '0',
  LOG_LEVEL: 'warn',
  THROTTLE_FACTOR: '1000000',
  DECLINES_PER_HOUR: '10000',
});
const owner = connect({ url: database.url, max: 1, applicationName: 'kilim bench' });
const milliseconds: number[] = [];

async function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function payOrder(): Promise<void> {
  const quote = (await (await post('/api/quote', twoRugs)).json()) as QuoteAnswer;
  const started = performance.now();
  const answer = (await (await post('/api/process-payment', paymentFor(quote))).json()) as PaymentAnswer;
  if (!answer.success) throw new Error(`An order was not paid: ${JSON.stringify(answer)}`);
  milliseconds.push(performance.now() - started);
}

async function measure(ledger: Sql, concurrent: number): Promise<void> {
  const alone: number[] = [];
  const paid: number[] = [];
  milliseconds.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await rate(concurrent, () => appendPaidOrder(ledger)));
    paid.push(await rate(concurrent, payOrder));
  }
  const columns = [
    String(concurrent).padStart(6),
    median(paid).toFixed(0).padStart(13),
    `${median(milliseconds).toFixed(0).padStart(9)} ms`,
    (appendsOfPaidOrder * median(alone)).toFixed(0).padStart(17),
    median(alone).toFixed(0).padStart(12),
    (median(paid) / median(alone)).toFixed(2),
  ];
  process.stdout.write(`${columns.join(' | ')}\n`);
}

/** Square does not know its orders. */
async function openLedgerAlone(): Promise<Sql> {
  const url = new URL(database.url);
  url.pathname = '/alone';
  await owner`create database alone`;
  await migrate({ url: url.href });
  return connect({ url: url.href, max: 16, applicationName: 'kilim bench' });
}

try {
  const alone = await openLedgerAlone();
  // Prepare the statements on every connection.
  await rate(buyers.at(-1) ?? 1, payOrder);
  process.stdout.write('buyers | paid orders/s | answered in | bare append rate/s | = orders/s | ratio\n');
  for (const concurrent of buyers) await measure(alone, concurrent);
  // Fast but wrong payments would be worthless.
  const found = await violations(owner, connectSimulator(simulator.url));
  if (found.length > 0) throw new Error(found.slice(0, 5).join('\n'));
  await alone.end();
} finally {
  await owner.end();
  await server.stop();
  await simulator.close();
  await mailbox.close();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
