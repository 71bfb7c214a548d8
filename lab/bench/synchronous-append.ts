import { setTimeout } from 'node:timers/promises';
import { connect, serverConnections } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { openPair } from '../faults/failover/pair.ts';
import { appendEvents, median, rate } from './measure.ts';

// Measures what a synchronous standby costs an append: in turn with `synchronous_commit = on`, which waits for the
// standby's disk, and `local`. Both share this machine, without a network between them. The ratios count. Usage: node
// lab/bench/synchronous-append.ts

const rounds = 5;
const pair = await openPair({ syncsToDisk: true });
try {
  await migrate({ url: pair.primaryUrl() });
  const options = { url: pair.primaryUrl(), max: serverConnections, applicationName: 'kilim bench' };
  process.stdout.write('| in flight | local, per second | with the standby, per second | ratio |\n');
  process.stdout.write('| ---: | ---: | ---: | ---: |\n');
  for (const inFlight of [1, 16]) {
    const rates = { local: [] as number[], on: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const level of ['local', 'on'] as const) {
        await pair.ownerSql.unsafe(`alter role postgres set synchronous_commit = '${level}'`);
        const sql = connect(options);
        rates[level].push(await rate(inFlight, () => appendEvents(sql)));
        await sql.end();
        await setTimeout(200);
      }
    }
    const [local, on] = [median(rates.local), median(rates.on)];
    process.stdout.write(`| ${inFlight} | ${local.toFixed(0)} | ${on.toFixed(0)} | ${(on / local).toFixed(2)} |\n`);
  }
} finally {
  await pair.close();
}
