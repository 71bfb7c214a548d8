import { withinMs } from '../runtime/deadline.ts';
import { onlyRow, type Sql, type Transaction } from './database.ts';
import { clockOffError, forbidsAppends, foreignClusterError, isClockOff } from './failures.ts';

// A server appends only in that cluster, also when another one appears behind the address of its database.

export type ClusterState =
  | 'known'
  | 'promoted'
  | 'unrecorded'
  | 'copied'
  | 'epoch not set'
  | 'position behind'
  | 'timeline behind'
  | 'xid behind';

const restored =
  'The ledger was restored here from a dump, and its new events need a new epoch. Run npm run migrate once, with the ' +
  "owner's login in MIGRATION_DATABASE_URL, and start the servers again. docs/recovery.md describes the steps";

const sentences = {
  unrecorded: restored,
  copied: restored,
  'epoch not set': restored,
  'position behind': restored,
  'timeline behind':
    'The ledger has already lived on a later timeline of this cluster: this is an old primary, or an old copy of its ' +
    'files. Connect to the newest primary. If there is none, dump this database, restore it into a new cluster, and ' +
    'run npm run migrate there. docs/recovery.md describes the steps',
  'xid behind':
    'The transaction counter of this cluster is behind the transactions of the ledger, so new events would be sorted ' +
    'before old ones. The files of the cluster are older than the rows, or the counter was reset. Dump this database, ' +
    'restore it into a new cluster, and run npm run migrate there. docs/recovery.md describes the steps',
} as const satisfies Record<Exclude<ClusterState, 'known' | 'promoted'>, string>;

export async function compareCluster(sql: Sql | Transaction): Promise<ClusterState> {
  const { state } = await onlyRow(sql<{ state: ClusterState }[]>`select ledger.compare_cluster() as state`);
  return state;
}

/** @returns undefined if the server may append. */
export function explainCluster(state: ClusterState): string | undefined {
  return state === 'known' || state === 'promoted' ? undefined : `${sentences[state]}.`;
}

/** Shared by all pools, because a process has one ledger. */
let confirmedLife = '';

/**
 * The life changes with a restart, a promotion of a standby, and a new table of events. Comparing it costs an append
 * less than a microsecond.
 */
export function lifeNow(sql: Sql | Transaction) {
  return sql`concat_ws(
    ' ', pg_postmaster_start_time(), pg_is_in_recovery(), 'ledger.event'::regclass::oid, current_database())`;
}

/**
 * Compares the cluster before an append in an unconfirmed life.
 * @param call answers null, and does nothing, when `life` is not the present one.
 * @throws the error of `confirmCluster`.
 */
export async function inConfirmedCluster<Answer>(
  sql: Sql | Transaction,
  call: (life: string) => Promise<Answer | null>,
): Promise<Answer> {
  let answer = confirmedLife === '' || hasClockMoved() ? null : await call(confirmedLife);
  for (let tries = 0; answer === null && tries < 3; tries += 1) answer = await call(await confirmCluster(sql));
  if (answer === null) throw new Error('The database was replaced several times while an append was tried');
  return answer;
}

/** A server whose clock differs more from the database's appends nothing. */
const longestOffMs = 5000;
/** A larger move against the monotonic clock causes a new comparison. */
const longestMoveMs = 1000;

type ClockReading = {
  /** Against the database's clock: positive when this server's is ahead. 0 within the time of the answer. */
  readonly offMs: number;
  /** This server's clock against its monotonic one. */
  readonly wallMs: number;
};

let clock: ClockReading = { offMs: 0, wallMs: wallMs() };

function wallMs(): number {
  return Date.now() - performance.now();
}

function hasClockMoved(): boolean {
  return Math.abs(wallMs() - clock.wallMs) > longestMoveMs;
}

/** How far this server's clock was ahead (negative: behind) at the last comparison. */
export function clockOffSeconds(): number {
  return clock.offMs / 1000;
}

/** A sentence for people while a wrong clock prevents appends. */
export function explainClock(): string | undefined {
  const { offMs } = clock;
  if (Math.abs(offMs) <= longestOffMs) return undefined;
  const direction = offMs > 0 ? 'ahead of' : 'behind';
  return `The server's clock is ${Math.round(Math.abs(offMs) / 1000)} seconds ${direction} the database's`;
}

function compareClock(askedAt: number, databaseMs: number): void {
  const offMs = databaseMs < askedAt ? askedAt - databaseMs : Math.min(0, Date.now() - databaseMs);
  clock = { offMs, wallMs: wallMs() };
}

export type ClusterLook = {
  /** As `lifeNow` says it. */
  readonly life: string;
  /** The database's clock; milliseconds since 1970. */
  readonly databaseMs: number;
  /** This server's clock, before the question. */
  readonly askedAtMs: number;
};

/** Compares the clocks. False: the cluster has to be compared, too. */
export function isStillConfirmed({ life, databaseMs, askedAtMs }: ClusterLook): boolean {
  compareClock(askedAtMs, databaseMs);
  return life === confirmedLife && explainClock() === undefined;
}

/**
 * Compares the cluster and the clocks, and records a promotion.
 * @returns the life of the database.
 * @throws an error with a sentence for the operator if nothing may be appended here. `isTemporary` holds for it.
 */
export async function confirmCluster(sql: Sql | Transaction): Promise<string> {
  const askedAt = Date.now();
  const row = await onlyRow(sql<{ state: ClusterState; life: string; now: number }[]>`
    select ledger.compare_cluster() as state, ${lifeNow(sql)} as life,
      extract(epoch from clock_timestamp())::float8 * 1000 as now`);
  compareClock(askedAt, row.now);
  const problem = explainCluster(row.state);
  const wrongClock = explainClock();
  if (problem !== undefined || wrongClock !== undefined) {
    confirmedLife = '';
    throw problem === undefined ? clockOffError(`${wrongClock}. Nothing is recorded`) : foreignClusterError(problem);
  }
  if (row.state === 'promoted') await sql`select ledger.record_recovery(false)`;
  confirmedLife = row.life;
  return row.life;
}

/** For work that acts on what it reads, such as calls to Square. False: nothing may be appended here. */
export async function isInItsCluster(sql: Sql, { despiteClock = false } = {}): Promise<boolean> {
  if (confirmedLife !== '') return true;
  try {
    await confirmCluster(sql);
    return true;
  } catch (error) {
    if (forbidsAppends(error)) return despiteClock && isClockOff(error);
    throw error;
  }
}

/** Never throws, and never takes longer. */
export async function findDatabaseProblem(sql: Sql, timeoutMs: number): Promise<string | undefined> {
  try {
    await withinMs(timeoutMs, confirmCluster(sql));
    return undefined;
  } catch (error) {
    if (isClockOff(error)) return 'clock wrong';
    return forbidsAppends(error) ? 'database restored and not migrated' : 'database unreachable';
  }
}

/**
 * Adopts a restored ledger, as the owner of its tables: see `ledger.adopt_cluster`.
 * @returns a line for the operator if something changed.
 * @throws Error with a sentence if the ledger cannot live in this cluster.
 */
export async function adoptCluster(transaction: Transaction): Promise<string | undefined> {
  const state = await compareCluster(transaction);
  if (state === 'known') return undefined;
  if (state === 'promoted') {
    await transaction`select ledger.record_recovery(false)`;
    return undefined;
  }
  const [adopted] = await transaction<{ state: ClusterState }[]>`select ledger.adopt_cluster() as state`;
  switch (adopted?.state) {
    case 'copied':
      return await tellEpoch(transaction);
    case 'position behind':
      return 'The sequence of positions was behind the events. It continues after the last one.';
    case 'timeline behind':
    case 'xid behind':
      throw foreignClusterError(`${sentences[adopted.state]}.`);
    default:
      return undefined;
  }
}

async function tellEpoch(transaction: Transaction): Promise<string> {
  const [now] = await transaction<{ epoch: number }[]>`select ledger.current_epoch()::int as epoch`;
  return `The ledger was restored into this cluster. Its new events have epoch ${now?.epoch}. Compare it with Square \
before customers pay again: docs/recovery.md.`;
}

/** Square's clock may be ahead of the database's. */
const clockDifferenceMs = 5 * 60_000;

/**
 * Earlier events may be missing after a restore or a failover.
 * @returns ISO 8601 instant by Square's clock, or undefined if the ledger is complete.
 */
export async function readCompleteSince(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ at: Date | null }[]>`
    select max(recorded_at) as at from ledger.cluster where may_lack_events`;
  return row?.at == null ? undefined : new Date(row.at.getTime() + clockDifferenceMs).toISOString();
}
