import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { endWithNpm } from '../chaos/end-with-npm.ts';
import { runFailovers } from './failover.ts';
import { openPatroni } from './patroni.ts';

// Kills the primary while customers pay, promotes its standby, and checks that nothing acknowledged is lost. Usage: npm
// run failover -- --kills 20 [--log <file for the servers' output>] [--patroni <root of a system with Patroni, or />]

endWithNpm();
const { values } = parseArgs({
  options: { kills: { type: 'string' }, log: { type: 'string' }, patroni: { type: 'string' } },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { violations, kills, log, ...figures } = await runFailovers({
  ...{ kills: Number(values.kills ?? 20), say },
  ...(values.patroni !== undefined && { open: () => openPatroni(values.patroni ?? '/') }),
});
if (values.log !== undefined) await writeFile(values.log, log);
for (const violation of violations) say(violation);
const worst = (of: (typeof kills)[number][keyof (typeof kills)[number]][]) => Math.max(...of.map(Number));
say(
  JSON.stringify({
    ...figures,
    kills: kills.length,
    violations: violations.length,
    longestPromotionSeconds: worst(kills.map(({ promotionSeconds }) => promotionSeconds)),
    longestPaidAfterSeconds: worst(kills.map(({ paidAfterSeconds }) => paidAfterSeconds)),
    longestGapSeconds: worst(kills.map(({ gapSeconds }) => gapSeconds)),
    longestRebuildSeconds: worst(kills.map(({ rebuildSeconds }) => rebuildSeconds)),
  }),
);
process.exitCode = violations.length === 0 ? 0 : 1;
