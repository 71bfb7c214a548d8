import { parseArgs } from 'node:util';
import { estimateEvents } from '../ledger/estimate-events.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from './command.ts';
import { requireOwnSchema } from './require-own-schema.ts';
import { grouped } from './terminal.ts';

export const compareCommand: LedgerCommand = {
  usage: `compare
  Compares the stored rows of orders, refunds, payouts and days with the events, order by order.`,
  run: compare,
};

async function compare({ sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  parseArgs({ args: [...args], options: {} });
  await requireOwnSchema(sql);
  const progress = terminal.progress('events', await estimateEvents(sql));
  const { orders, differences } = await compareProjections(sql, progress.add);
  progress.end();
  for (const { of, what } of differences) terminal.say(`${of}: ${what}.`);
  terminal.say(
    differences.length === 0
      ? `The rows of ${grouped(orders)} orders match the ledger.`
      : `Differences: ${grouped(differences.length)}, in ${grouped(orders)} orders.`,
  );
  return differences.length === 0 ? 0 : 2;
}
