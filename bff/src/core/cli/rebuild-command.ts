import { parseArgs } from 'node:util';
import { estimateEvents } from '../ledger/estimate-events.ts';
import { rebuildProjections } from '../ledger/rebuild/rebuild.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from './command.ts';
import { requireOwnSchema } from './require-own-schema.ts';
import { grouped } from './terminal.ts';

export const rebuildCommand: LedgerCommand = {
  usage: `rebuild
  Rebuilds the rows of orders, refunds, payouts and days from the events in new tables, and then swaps the tables. Servers keep running.
  It needs the owner's login.`,
  run: rebuild,
};

async function rebuild({ databaseUrl, sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  parseArgs({ args: [...args], options: {} });
  await requireOwnSchema(sql);
  const progress = terminal.progress('events', await estimateEvents(sql));
  const { orders, refunds, payoutEntries, corrected, correctedEntries, swapMs } = await rebuildProjections({
    url: databaseUrl,
    onProgress: progress.add,
  });
  progress.end();
  terminal.say(
    `Rebuilt ${grouped(orders)} orders, ${grouped(refunds)} refunds and ${grouped(payoutEntries)} payout entries. Appends waited ${Math.ceil(swapMs)} milliseconds.`,
  );
  terminal.say(corrected === 0 ? 'All rows matched the ledger.' : `Corrected rows of ${grouped(corrected)} orders.`);
  if (correctedEntries > 0) {
    terminal.say(`Corrected ${grouped(correctedEntries)} payout entries.`);
  }
  return corrected + correctedEntries === 0 ? 0 : 2;
}
