import { setTimeout } from 'node:timers/promises';
import type { Diagnosis } from '../../server/check/diagnosis.ts';
import type { Sql } from '../database.ts';
import { checkSameDatabase, type DatabaseFacts, readFacts } from './database-facts.ts';

/** A healthy replica replays within milliseconds. */
const replayWithinMs = 3000;

const variable = 'DATABASE_READ_URL';

/** Whether the read replica is a replica of the database, and how far it is behind. */
export async function checkReplica(replica: Sql, primary: Sql): Promise<readonly Diagnosis[]> {
  const [found, main] = await Promise.all([readFacts(replica), readFacts(primary)]);
  const other = checkSameDatabase(found, { main, variable });
  return other.length > 0 ? other : await checkReplay(replica, { primary, found });
}

type Replay = { readonly primary: Sql; readonly found: DatabaseFacts };

async function checkReplay(replica: Sql, { primary, found }: Replay): Promise<readonly Diagnosis[]> {
  if (!found.isInRecovery) {
    return [
      {
        level: 'warning',
        variable,
        problem: 'it names a primary, so reading adds load where orders are written.',
        remedy: 'Name a replica, or remove the variable.',
      },
    ];
  }
  // The age of the last replayed transaction would grow while nobody writes. So the replica has to
  // replay up to the primary's position of this moment.
  const [row] = await primary<{ position: string }[]>`select pg_current_wal_flush_lsn()::text as position`;
  const position = row?.position ?? '0/0';
  const deadline = performance.now() + replayWithinMs;
  while (performance.now() < deadline) {
    if (await hasReplayed(replica, position)) return [];
    await setTimeout(50);
  }
  return [await behind(replica, position)];
}

async function hasReplayed(replica: Sql, position: string): Promise<boolean> {
  const [row] = await replica<{ done: boolean }[]>`
    select coalesce(pg_last_wal_replay_lsn() >= ${position}::text::pg_lsn, false) as done`;
  return row?.done === true;
}

async function behind(replica: Sql, position: string): Promise<Diagnosis> {
  const [row] = await replica<{ megabytes: number; seconds: number | null }[]>`
    select (pg_wal_lsn_diff(${position}::text::pg_lsn, pg_last_wal_replay_lsn()) / 1048576)::float8 as megabytes,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`;
  const lag = row === undefined ? '' : ` It is ${row.megabytes.toFixed(1)} MB of log behind.`;
  const age = row?.seconds == null ? '' : ` Its newest transaction is ${row.seconds.toFixed(0)} s old.`;
  return {
    level: 'warning',
    variable,
    problem: `the replica did not catch up within ${replayWithinMs / 1000} s.${lag}${age}`,
    remedy: 'Look at pg_stat_replication on the primary and at the log of the replica.',
  };
}
