import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Sql } from '../src/database.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { migrate } from '../src/migrate.ts';
import { appendPaidOrder, appendsOfPaidOrder, createBareTable, insertBareRow, median, rate } from './measure.ts';

// How fast the ledger appends, beside the least that any append costs: one INSERT of one row of the same size. Both go through the
// same client, to the same durable server, in turn; the ratio is what counts, the figures depend on the machine.

const rounds = 5;

async function run(sql: Sql): Promise<void> {
  process.stdout.write('in flight | bare INSERT/s | appends/s | ratio\n');
  for (const concurrent of [1, 16]) {
    const bare: number[] = [];
    const appends: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await rate(concurrent, () => insertBareRow(sql)));
      appends.push(appendsOfPaidOrder * (await rate(concurrent, () => appendPaidOrder(sql))));
    }
    const ratio = median(appends) / median(bare);
    process.stdout.write(
      `${String(concurrent).padStart(9)} | ${median(bare).toFixed(0).padStart(13)} | ${median(appends).toFixed(0).padStart(9)} | ${ratio.toFixed(2)}\n`,
    );
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
const server = await startEmbeddedPostgres({ dataDir });
try {
  await migrate({ url: server.url });
  const sql = connect({ url: server.url, max: 16, applicationName: 'kilim bench' });
  await createBareTable(sql);
  await run(sql);
  await sql.end();
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
