import { parseArgs } from 'node:util';
import { estimateEvents } from '../proof/split-streams.ts';
import { rebuildProjections } from '../rebuild/rebuild.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from './command.ts';
import { grouped } from './terminal.ts';

export const rebuildCommand: LedgerCommand = {
  usage: `rebuild
  Makes the rows of orders, refunds and days anew from the events, beside the live ones, and then puts them in their place. Servers go on meanwhile.
  It needs the owner's login.`,
  run: rebuild,
};

async function rebuild({ databaseUrl, sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  parseArgs({ args: [...args], options: {} });
  const progress = terminal.progress('events', await estimateEvents(sql));
  const { orders, refunds, corrected, swapMs } = await rebuildProjections({
    url: databaseUrl,
    onProgress: progress.add,
  });
  progress.end();
  terminal.say(
    `Rebuilt ${grouped(orders)} orders and ${grouped(refunds)} refunds. Appends waited ${Math.ceil(swapMs)} milliseconds.`,
  );
  terminal.say(
    corrected === 0
      ? 'The rows were what the ledger says.'
      : `The rows of ${grouped(corrected)} orders were not what the ledger says, and are now.`,
  );
  return corrected === 0 ? 0 : 2;
}
