import { parseArgs } from 'node:util';
import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { refusePooler } from '../../bff/src/core/database/find-pooler.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import type { Closing } from '../../bff/src/core/runtime/shutdown.ts';
import { authenticateBesideServers } from '../../bff/src/proof/authenticate-beside-servers.ts';
import { signingKeyPlace } from '../../bff/src/proof/signing-key.ts';
import { type Environment, ownerPlace, parseEnvironment } from '../../bff/src/start/env.ts';
import { joinDatabase, joinSquare } from '../../bff/src/start/start-peers.ts';
import type { History } from '../square/history.ts';
import { connectSimulator } from '../square/simulator-client.ts';
import { seedOrders } from './seed-orders.ts';

const usage = `npm run seed -- [--orders 1000] [--days 1095] [--seed 1] [--beside-orders]
  Writes a realistic history of orders into a ledger without orders, for load tests and demonstrations.
  --beside-orders accepts a ledger that has orders.
`;

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${most.toLocaleString('en-US')}.`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      'beside-orders': { type: 'boolean', default: false },
      orders: { type: 'string', default: '1000' },
      days: { type: 'string', default: '1095' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const orders = wholeNumber('orders', values.orders, 10_000_000);
  const days = wholeNumber('days', values.days, 3650);
  const seed = wholeNumber('seed', values.seed, 2 ** 32 - 1);
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) throw new Error(parsed.rejection.join('\n'));
  if (parsed.value.square.environment === 'production') {
    throw new Error(
      'Seeding is refused: SQUARE_ENVIRONMENT is production, and seeded orders must not mix with real ones.',
    );
  }
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const joined = await joinDatabase(parsed.value, (close) => closers.unshift(close));
    const { url, variable } = ownerPlace(parsed.value) ?? joined;
    await refusePooler({ url, variable });
    await migrate({ url, variable });
    const sql = connect({ url, max: 1, applicationName: 'kilim seed', statementTimeoutSeconds: 0 });
    closers.unshift(() => sql.end({ timeout: 1 }));
    if (!values['beside-orders']) await refuseOrders(sql);
    await authenticateBesideServers(sql, signingKeyPlace(parsed.value));
    const tellSquare = await findListener(parsed.value, (close) => closers.unshift(close));
    const wanted = { orders, days, until: new Date(), seed, tellSquare };
    await write(orders, (onProgress) => seedOrders(sql, wanted, onProgress));
    await sql`analyze`;
  } finally {
    for (const close of closers) await close();
  }
}

async function refuseOrders(sql: Sql): Promise<void> {
  const [row] = await sql`select from ledger.order_summary limit 1`;
  if (row === undefined) return;
  throw new Error(
    'Seeding is refused: the ledger has orders, and seeded ones would stay beside them for ever. Add --beside-orders to seed nevertheless.',
  );
}

/** The local Square learns recent payments, so that the server finds no difference. Square cannot. */
async function findListener(environment: Environment, closing: Closing): Promise<(history: History) => Promise<void>> {
  if (environment.square.environment !== 'simulator') {
    process.stdout.write('Square does not know the payments of seeded orders: the page Books will show differences.\n');
    return () => Promise.resolve();
  }
  const { simulator, scriptUrl } = await joinSquare(environment, closing);
  return connectSimulator(simulator?.url ?? new URL(scriptUrl).origin).tellHistory;
}

async function write(orders: number, seeding: (onProgress: (orders: number) => void) => Promise<void>): Promise<void> {
  const started = performance.now();
  let done = 0;
  await seeding((more) => {
    const before = Math.floor((done * 10) / orders);
    done += more;
    if (Math.floor((done * 10) / orders) === before) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    process.stdout.write(`${done.toLocaleString('en-US')} of ${orders.toLocaleString('en-US')} orders, ${seconds} s\n`);
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
