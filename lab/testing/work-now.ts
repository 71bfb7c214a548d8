import { hintQueue } from '../../bff/src/core/background/process-hints.ts';
import { effectQueue } from '../../bff/src/core/background/settle-open-effects.ts';
import { createWorkers, type WorkQueue } from '../../bff/src/core/background/work-queue.ts';
import type { Sql } from '../../bff/src/core/database/database.ts';
import type { Watched } from '../../bff/src/core/ledger/watch.ts';
import type { World } from '../../bff/src/core/use-case/world.ts';

/**
 * As if all leases had expired.
 * @returns how many effects there were.
 */
export async function settleNow(world: World, ownerSql: Sql): Promise<number> {
  await ownerSql`update ledger.effect set wait_seconds = 0 where state = 'open'`;
  return workNow(world, effectQueue(world));
}

/**
 * Those that are due.
 * @returns how many there were.
 */
export async function processHintsNow(world: World): Promise<number> {
  return workNow(world, hintQueue(world));
}

async function workNow<Item extends Watched>({ sql, log }: World, queue: WorkQueue<Item>): Promise<number> {
  const workers = createWorkers(queue, { sql, log });
  let started = 0;
  for (let more = await workers.startDue(); more > 0; more = await workers.startDue()) started += more;
  await workers.finished();
  return started;
}
