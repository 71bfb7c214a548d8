import { parseArgs } from 'node:util';
import { estimateEvents } from '../../ledger/proof/split-streams.ts';
import { rebuildProjections } from '../../ledger/rebuild/rebuild.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from './command.ts';
import { grouped } from './terminal.ts';

export const rebuildCommand: LedgerCommand = {
  usage: `rebuild
  Makes the rows of orders, refunds, payouts and days anew from the events, beside the live ones, and then puts them in their place. Servers go on meanwhile.
  It needs the owner's login.`,
  run: rebuild,
};

async function rebuild({ databaseUrl, sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  parseArgs({ args: [...args], options: {} });
  const progress = terminal.progress('events', await estimateEvents(sql));
  const { orders, refunds, payoutEntries, corrected, correctedEntries, swapMs } = await rebuildProjections({
    url: databaseUrl,
    onProgress: progress.add,
  });
  progress.end();
  terminal.say(
    `Rebuilt ${grouped(orders)} orders, ${grouped(refunds)} refunds and ${grouped(payoutEntries)} entries of payouts. Appends waited ${Math.ceil(swapMs)} milliseconds.`,
  );
  terminal.say(
    corrected === 0
      ? 'The rows were what the ledger says.'
      : `The rows of ${grouped(corrected)} orders were not what the ledger says, and are now.`,
  );
  if (correctedEntries > 0) {
    terminal.say(`${grouped(correctedEntries)} entries of payouts were not what the ledger says, and are now.`);
  }
  return corrected + correctedEntries === 0 ? 0 : 2;
}
