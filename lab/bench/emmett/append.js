import { readFileSync } from 'node:fs';
import { SQL } from '@event-driven-io/dumbo';
import { getPostgreSQLEventStore, postgreSQLRawSQLProjection } from '@event-driven-io/emmett-postgresql';

// Appends the events of bench/append.ts with one row of a projection. Prints appends per second and CPU microseconds
// per append. Usage: node append.js <database> <in flight> <seconds> < events.json

const [url, inFlight, seconds] = process.argv.slice(2);
const events = JSON.parse(readFileSync(0, 'utf8'));

const summary = postgreSQLRawSQLProjection({
  name: 'summary',
  canHandle: ['OrderPlaced', 'PaymentStarted'],
  evolve: (event) =>
    event.type === 'OrderPlaced'
      ? SQL`insert into emmett_summary (order_id, version, total_cents, payment_status)
          values (${event.data.orderId}, 1, ${event.data.total}, 'unpaid')`
      : SQL`update emmett_summary set version = version + 1, payment_status = 'processing'
          where order_id = ${event.data.orderId}`,
});

const store = getPostgreSQLEventStore(url, {
  projections: [{ type: 'inline', projection: summary }],
  connectionOptions: { pooled: true },
});
await store.schema.migrate();

async function append() {
  const orderId = crypto.randomUUID();
  const own = events.map(({ type, data }) => ({ type, data: { ...data, orderId } }));
  await store.appendToStream(`order-${orderId}`, own, { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' });
}

for (let warm = 0; warm < 50; warm += 1) await append();
const cpu = process.cpuUsage();
const started = performance.now();
const end = started + Number(seconds) * 1000;
let done = 0;
await Promise.all(
  Array.from({ length: Number(inFlight) }, async () => {
    while (performance.now() < end) {
      await append();
      done += 1;
    }
  }),
);
const took = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ perSecond: (done * 1000) / took, microseconds: (user + system) / done }));
await store.close();
process.exit();
