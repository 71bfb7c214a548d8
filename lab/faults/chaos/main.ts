import { parseArgs } from 'node:util';
import { runCampaign } from './chaos.ts';
import { endWithNpm } from './end-with-npm.ts';

// Random payments and refunds while servers, the database, the network and Square fail; no money may be lost or charged
// twice. Usage: npm run chaos -- --runs 200 --seed 1

endWithNpm();
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const runs = Number(values.runs ?? 50);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`Seed ${seed}; to repeat it: npm run chaos -- --runs ${runs} --seed ${seed}`);
const { failures, leaks, ...figures } = await runCampaign({ runs, seed, say });
for (const { seed: failed, violations, steps } of failures) {
  say(`\nSeed ${failed}; to repeat only this run: npm run chaos -- --runs 1 --seed ${failed}`);
  for (const line of [...violations, ...steps]) say(`  ${line}`);
}
for (const leak of new Set(leaks)) say(`Personal data was written: ${leak}`);
say(JSON.stringify({ seed, ...figures, failures: failures.length, leaks: leaks.length }));
process.exitCode = failures.length + leaks.length === 0 ? 0 : 1;
