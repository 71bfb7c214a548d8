import { confirmCluster, isStillConfirmed } from '../database/cluster.ts';
import type { Sql } from '../database/database.ts';
import { forbidsAppends, isClockOff } from '../database/failures.ts';
import type { World } from '../use-case/world.ts';
import { type Fail, type Job, minute } from './job.ts';

type WatchingWorld = Pick<World, 'sql' | 'log'>;

type Newest = { readonly epoch: number; readonly xid: string; readonly position: number; readonly event_id: string };

/**
 * Compares the database with the recorded cluster, even without appends: in a new life of it and each minute. When the
 * newest event that the process saw is gone, the database went back in time. The server records that, so that payments
 * of the lost time are not returned.
 */
export function watchingCluster(world: WatchingWorld): Job {
  const watch = clusterWatch(world);
  let watched: { readonly newest: string; readonly at: number } | undefined;
  const isRecent = (at: number) => performance.now() - at < minute * 1000;
  return {
    name: 'watch-cluster',
    limitSeconds: 5 * minute,
    meaning: 'Nobody would notice if the database lost its newest records.',
    pollSeconds: 2,
    inAnyCluster: true,
    isIdle: (seen) =>
      isStillConfirmed(seen) && watched !== undefined && watched.newest === seen.newest && isRecent(watched.at),
    run: async (fail, seen) => {
      watched = undefined;
      await watch(fail);
      if (seen !== undefined) watched = { newest: seen.newest, at: performance.now() };
      return 0;
    },
  };
}

export function clusterWatch({ sql, log }: WatchingWorld): (fail?: Fail) => Promise<void> {
  let newest: Newest | undefined;
  let told = '';
  return async (fail) => {
    try {
      await confirmCluster(sql);
      told = '';
    } catch (error) {
      if (!forbidsAppends(error)) throw error;
      // One line for each problem, not one for each round.
      if (withoutNumbers(error) !== told) log.fatal({ err: error }, 'nothing is appended to this database');
      told = withoutNumbers(error);
      fail?.(isClockOff(error) ? 'the clock is wrong' : 'the ledger belongs to another database');
      return;
    }
    const looked = await look(sql, newest);
    if (newest !== undefined && looked?.isThere !== true) {
      log.fatal({ lost: newest }, 'the database has lost events; compare Square with the ledger, see docs/recovery.md');
      await sql`select ledger.record_recovery(true)`;
    }
    newest = looked?.newest;
  };
}

/** A wrong clock may drift. */
function withoutNumbers(error: unknown): string {
  return String(error).replaceAll(/\d+/g, '');
}

async function look(sql: Sql, before: Newest | undefined): Promise<{ newest: Newest; isThere: boolean } | undefined> {
  const { epoch = null, xid = null, position = null, event_id: eventId = null } = before ?? {};
  const [found] = await sql<(Newest & { readonly is_there: boolean })[]>`
    select epoch, xid::text, position, event_id, exists (
      select from ledger.event
      where (epoch, xid, position) = (${epoch}::smallint, ${xid}::text::xid8, ${position}::bigint)
        and event_id = ${eventId}::uuid
    ) as is_there
    from ledger.event order by event.epoch desc, event.xid desc, event.position desc limit 1`;
  if (found === undefined) return undefined;
  const { is_there: isThere, ...newest } = found;
  return { newest, isThere };
}
