import { openHints } from '../src/background/follow-hints.ts';
import { openEffects } from '../src/background/settle-open-effects.ts';
import { type Backlog, workOff } from '../src/background/work-off.ts';
import type { Sql } from '../src/database/database.ts';
import type { Watched } from '../src/ledger/watch.ts';
import type { World } from '../src/server/world.ts';

/** Settles every open effect as if its lease had ended. @returns how many there were. */
export async function settleNow(world: World, ownerSql: Sql): Promise<number> {
  await ownerSql`update ledger.effect set wait_seconds = 0 where state = 'open'`;
  return workNow(world, openEffects(world));
}

/** Follows the hints that need not be left alone. @returns how many there were. */
export async function followNow(world: World): Promise<number> {
  return workNow(world, openHints(world));
}

/** A process that has just started sees only what is due without waiting. */
async function workNow<Item extends Watched>({ sql, log }: World, backlog: Backlog<Item>): Promise<number> {
  const workers = workOff(backlog, { sql, log });
  let started = 0;
  for (let more = await workers.startDue(); more > 0; more = await workers.startDue()) started += more;
  await workers.finished();
  return started;
}
