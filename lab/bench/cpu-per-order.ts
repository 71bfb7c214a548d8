import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPostmaster } from '../../bff/src/start/embedded/postmaster.ts';
import { checkOutServer } from '../faults/upgrade/release-checkout.ts';
import { median } from './measure.ts';
import { openShopUnderLoad, type ShopUnderLoad } from './shop-under-load.ts';

// Measures the processor time of the server and of PostgreSQL for a second without orders, and, beyond that, for a paid
// order: quote, payment, mails, and what jobs do until two seconds later. Counts transactions and statements, too. With
// a commit it measures that one in alternating rounds: other programs change wall time, and processor time less.
// Usage: node lab/bench/cpu-per-order.ts [--against commit] [--rounds 5] [--orders 500] [--idle 30]. Linux only.

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    orders: { type: 'string', default: '500' },
    idle: { type: 'string', default: '30' },
  },
});
const [rounds, orders, idleSeconds] = [values.rounds, values.orders, values.idle].map(Number) as [
  number,
  number,
  number,
];
const settleMs = 2000;
/** V8 compiles what it has seen often enough. */
const warmUpOrders = 1000;
/** Then PostgreSQL has vacuumed what the first orders wrote. */
const restMs = 90_000;

type Spent = { readonly server: number; readonly postgres: number; readonly transactions: number; statements: number };
const columns = ['server', 'postgres', 'transactions', 'statements'] as const satisfies readonly (keyof Spent)[];

/** Milliseconds of all threads, and of ended children whose end was noticed. */
async function cpuOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const nanoseconds = threads.map(async (thread) =>
    Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')).split(' ')[0]),
  );
  const own = (await Promise.all(nanoseconds)).reduce((sum, each) => sum + each, 0) / 1e6;
  const { ended } = await statusOf(pid);
  return own + ended;
}

async function statusOf(pid: number | string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const millisecondsPerTick = 10;
  return { parent: fields[1], ended: ((fields[13] ?? 0) + (fields[14] ?? 0)) * millisecondsPerTick };
}

async function cpuOfPostgres({ cluster }: ShopUnderLoad): Promise<number> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) throw new Error('PostgreSQL does not run');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const children = await Promise.all(
    pids.map(async (pid) => ((await statusOf(pid)).parent === postmaster.pid ? await cpuOf(Number(pid)) : 0)),
  );
  return children.reduce((sum, each) => sum + each, await cpuOf(postmaster.pid));
}

async function spentBy(shop: ShopUnderLoad): Promise<Spent> {
  const { owner, server } = shop;
  const [counted] = await owner<{ transactions: number; statements: number }[]>`
    select xact_commit::int as transactions, (select sum(calls)::int from pg_stat_statements) as statements
    from pg_stat_database where datname = current_database()`;
  const [ofServer, postgres] = [await cpuOf(server.process.pid ?? 0), await cpuOfPostgres(shop)];
  return { server: ofServer, postgres, ...(counted ?? { transactions: 0, statements: 0 }) };
}

async function measure(shop: ShopUnderLoad, work: () => Promise<unknown>) {
  const [before, started] = [await spentBy(shop), performance.now()];
  await work();
  const [after, seconds] = [await spentBy(shop), (performance.now() - started) / 1000];
  return { spent: columns.map((column) => after[column] - before[column]), seconds };
}

async function pay({ payOrder }: ShopUnderLoad, count: number, concurrent: number): Promise<void> {
  let left = count;
  const buyer = async () => {
    while (left-- > 0) await payOrder();
  };
  await Promise.all(Array.from({ length: concurrent }, buyer));
  await setTimeout(settleMs);
}

/** The first one is subtracted from the others. */
const kinds = [
  { kind: 'a second without orders' },
  { kind: 'an order, 1 in flight', concurrent: 1 },
  { kind: 'an order, 16 in flight', concurrent: 16 },
] as const;

function say(...cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

async function figuresOf(shop: ShopUnderLoad, load: { concurrent?: number }, idle: readonly number[]) {
  const { concurrent } = load;
  if (concurrent === undefined) {
    const { spent, seconds } = await measure(shop, () => setTimeout(idleSeconds * 1000));
    return spent.map((each) => each / seconds);
  }
  const { spent, seconds } = await measure(shop, () => pay(shop, orders, concurrent));
  return spent.map((each, at) => (each - (idle[at] ?? 0) * seconds) / orders);
}

async function open(root?: string): Promise<ShopUnderLoad> {
  const shop = await openShopUnderLoad(root);
  await pay(shop, warmUpOrders, 16);
  // Some mails wait a minute for what they tell of. Those of one round are sent in the next ones.
  while ((await shop.owner`select from ledger.mail where state = 'open' limit 1`).length > 0)
    await setTimeout(settleMs);
  await setTimeout(restMs);
  return shop;
}

const checkout = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
const shops: (readonly [string, ShopUnderLoad])[] = [['here', await open()]];
try {
  if (values.against !== undefined) {
    const root = join(checkout, 'kilim');
    await checkOutServer({ commit: values.against, version: '' }, root);
    shops.push([values.against, await open(root)]);
  }
  say('medians', 'of', 'server ms', 'PostgreSQL ms', 'transactions', 'statements');
  say('---', '---', ...columns.map(() => '---:'));
  const idle = shops.map(() => columns.map(() => 0));
  for (const { kind, ...load } of kinds) {
    const found = shops.map((): number[][] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, [, shop]] of shops.entries()) found[at]?.push(await figuresOf(shop, load, idle[at] ?? []));
    }
    const medians = found.map((each) =>
      columns.map((_, column) => median(each.map((figures) => figures[column] ?? 0))),
    );
    if (!('concurrent' in load)) idle.splice(0, idle.length, ...medians);
    for (const [at, [name]] of shops.entries()) say(kind, name, ...(medians[at] ?? []).map((each) => each.toFixed(2)));
    const [here = [], other] = medians;
    if (other !== undefined) say(kind, 'ratio', ...here.map((each, at) => (each / (other[at] ?? 0)).toFixed(2)));
  }
  await shops[0]?.[1].audit();
} finally {
  for (const [, shop] of shops) await shop.stop();
  await rm(checkout, { recursive: true, force: true });
}
