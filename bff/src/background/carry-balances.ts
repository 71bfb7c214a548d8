import type { Sql } from '../database/database.ts';
import { carryBalances, recountBalances } from '../export/carried-balances.ts';
import { takeDueJob } from '../ledger/jobs.ts';
import type { Logger } from '../server/logger.ts';
import { type Repeated, repeat } from './repeat.ts';

type CarryingWorld = { readonly sql: Sql; readonly log: Logger; readonly timeZone: string };

const everySeconds = 10;
const carryAfterSeconds = 10 * 60;
const recountAfterSeconds = 24 * 60 * 60;

/** Keeps the balances that reports begin with. Any number of processes may do it. */
export function startCarryingBalances(world: CarryingWorld): Repeated {
  return repeat(world.log, { what: 'balances to carry', everySeconds, round: () => carryDue(world) });
}

async function carryDue({ sql, log, timeZone }: CarryingWorld): Promise<number> {
  if (await takeDueJob(sql, 'recount-balances', recountAfterSeconds)) {
    if ((await recountBalances(sql, timeZone)) === false) log.error('the carried balances differed from the journal');
  } else if (await takeDueJob(sql, 'carry-balances', carryAfterSeconds)) {
    await carryBalances(sql, timeZone);
  }
  return 0;
}
