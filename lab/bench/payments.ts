import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { appendPaidOrder, appendsOfPaidOrder, median, rate } from './measure.ts';
import { openShopUnderLoad } from './shop-under-load.ts';

// Measures how many orders a second are paid through the real server, with a Square that answers without delay, and the
// bare append rate in turn. The ratio counts: all share the machine. Usage: node lab/bench/payments.ts

const rounds = 5;
const buyers = [1, 16];

const { databaseUrl, owner, payOrder, audit, stop } = await openShopUnderLoad();

async function measure(ledger: Sql, concurrent: number): Promise<void> {
  const alone: number[] = [];
  const paid: number[] = [];
  const milliseconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await rate(concurrent, () => appendPaidOrder(ledger)));
    paid.push(await rate(concurrent, async () => milliseconds.push(await payOrder())));
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
  const url = new URL(databaseUrl);
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
  await audit();
  await alone.end();
} finally {
  await stop();
}
