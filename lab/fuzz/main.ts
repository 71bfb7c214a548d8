import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { endWithNpm } from '../faults/chaos/end-with-npm.ts';
import { fuzz } from './fuzz.ts';

// Random requests to every route. Fails on an answer 5xx, a hanging request, internals in an answer, an error in the
// log, or more than 50 ms of a blocked event loop. Usage: npm run fuzz -- --requests 48000 --seed 1

endWithNpm();
const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 48_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), 'kilim-fuzz-'));
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
try {
  await migrate({ url: database.url });
  say(`Seed ${seed}; to repeat it: npm run fuzz -- --requests ${requests} --seed ${seed}`);
  const started = performance.now();
  const options = { databaseUrl: database.url, dataDir: join(folder, 'server'), requests, seed, timing: true, say };
  const { violations, errorsInLog, ...figures } = await fuzz(options);
  for (const line of new Set([...violations, ...errorsInLog])) say(line.slice(0, 2_000));
  const seconds = Math.round((performance.now() - started) / 1000);
  say(JSON.stringify({ seed, requests, seconds, load: loadavg()[0], ...figures, violations: violations.length }));
  process.exitCode = violations.length + errorsInLog.length === 0 ? 0 : 1;
} finally {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}
