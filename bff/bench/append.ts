import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
import { authorizedA, capturedA, orderAPlaced, startedA } from '@kilim/domain/testing/orders';
import { v7 } from 'uuid';
import { connect, type Sql } from '../src/database.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { append } from '../src/ledger/append.ts';
import { sha256 } from '../src/ledger/contact.ts';
import { encodeEvent } from '../src/ledger/stored-event.ts';
import { migrate } from '../src/migrate.ts';

// How fast the ledger appends, beside the least that any append costs: one INSERT of one row of the same size. Both go through the
// same client, to the same durable server, in turn; the ratio is what counts, the figures depend on the machine.

const rounds = 5;
const sampleSeconds = 2;

/** Runs the same thing again and again, so many at a time, and says how many a second were done. */
async function rate(concurrent: number, once: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + sampleSeconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await once();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  return done / sampleSeconds;
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? 0;
}

async function insertBareRow(sql: Sql): Promise<void> {
  const { payload } = encodeEvent(orderAPlaced);
  await sql`insert into bare (stream_id, version, payload) values (${`order-${v7()}`}, 1, ${payload}::text::json)`;
}

/** One paid order: the three appends of a payment, four events. */
async function appendPaidOrder(sql: Sql): Promise<void> {
  const orderId = v7() as OrderId;
  const paymentId = orderId.replaceAll('-', '') as PaymentId;
  const command = {
    requestHash: sha256(orderId),
    actor: 'customer' as const,
    requestId: orderId,
    occurredAt: new Date(),
  };
  const steps = [
    [
      { ...orderAPlaced, orderId },
      { ...startedA, paymentId },
    ],
    [{ ...authorizedA, paymentId }],
    [{ ...capturedA, paymentId }],
  ] as const;
  let stream = { orderId, version: 0, events: [] } as Parameters<typeof append>[1];
  for (const [index, events] of steps.entries()) {
    const result = await append(sql, stream, { ...command, commandId: `${orderId}:${index}`, events: [...events] });
    if (result.outcome !== 'appended') throw new Error(`Not appended: ${result.outcome}`);
    stream = result.stream;
  }
}

async function run(sql: Sql): Promise<void> {
  process.stdout.write('in flight | bare INSERT/s | appends/s | ratio\n');
  for (const concurrent of [1, 16]) {
    const bare: number[] = [];
    const appends: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await rate(concurrent, () => insertBareRow(sql)));
      appends.push(3 * (await rate(concurrent, () => appendPaidOrder(sql))));
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
  await sql`create table bare (stream_id text, version int, payload json, primary key (stream_id, version))`;
  await run(sql);
  await sql.end();
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
