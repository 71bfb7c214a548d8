import { type Books, closedThrough } from '@kilim/domain/accounting/books';
import { type CheckPoint, checkPoints } from '@kilim/domain/accounting/closings';
import { type Day, dayAfter } from '@kilim/domain/day';
import { onlyRow, type Sql } from '../../core/database/database.ts';
import { type FindingName, hasOldComparison } from '../../core/ledger/findings.ts';
import { resolutionsOf } from '../../core/queries/resolutions.ts';
import type { WitnessPlace } from '../../proof/witness/witness.ts';
import { keepsNotes } from '../../proof/witness/witnessed.ts';
import { openDifferences } from './open-differences.ts';
import { type Books as Glance, readBooksAtAGlance } from './read-books.ts';

/** `unknown`: this server cannot tell. */
export type CheckState = 'done' | 'open' | 'unknown';

export type Check = {
  readonly point: CheckPoint;
  readonly state: CheckState;
  /** 0 unless the point is open. */
  readonly count: number;
  readonly sentence: string;
};

export type ChecklistWorld = {
  readonly sql: Sql;
  readonly now: () => Date;
  readonly timeZone: string;
  readonly witnesses?: readonly WitnessPlace[];
};

type Period = { readonly from: Day | undefined; readonly through: Day };

/** No point prevents a closing, because each later fact has its place. */
export async function readChecklist(
  { sql, timeZone, witnesses }: Omit<ChecklistWorld, 'now'>,
  books: Books,
  through: Day,
): Promise<readonly Check[]> {
  const before = closedThrough({ ...books, closings: books.closings.filter((closing) => closing.through < through) });
  const period = { from: before === undefined ? undefined : dayAfter(before), through };
  const [counts, covering, glance, isOld] = await Promise.all([
    countOpen(sql, timeZone, period),
    readCovering(sql, timeZone, through),
    readBooksAtAGlance(sql, timeZone, witnesses),
    hasOldComparison(sql),
  ]);
  const checks: Readonly<Record<CheckPoint, Omit<Check, 'point'>>> = {
    doubt:
      counts.doubt === 0
        ? done('Every payment and refund has an outcome.')
        : open(
            counts.doubt,
            `${counted(counts.doubt, 'payment or refund', 'payments or refunds')} without an outcome.`,
          ),
    ...comparisonChecks(glance, covering, isOld),
    fees:
      counts.withoutFee === 0
        ? done('Every payment of the period has its fee.')
        : open(
            counts.withoutFee,
            `${counted(counts.withoutFee, 'payment', 'payments')} without a fee. Square usually reports it within a day.`,
          ),
    sealed:
      counts.unsealed === 0
        ? done('Every event of the period is sealed, so a later change would show.')
        : open(1, 'Events of the period are not sealed yet. The server does it once a minute.'),
    verified: verifiedCheck(glance, covering),
    witness: witnessCheck(glance.witnesses),
  };
  return checkPoints.map((point) => ({ point, ...checks[point] }));
}

type Checked = Omit<Check, 'point'>;

type Covering = readonly FindingName[];

const sinceAll = 'since the last day ended and the last event of the period was recorded';

function done(sentence: string): Checked {
  return { state: 'done', count: 0, sentence };
}

function open(count: number, sentence: string): Checked {
  return { state: 'open', count, sentence };
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function comparisonChecks(
  { comparison, reconciliation, resolutions }: Glance,
  covering: Covering,
  isOld: boolean,
): Readonly<Record<'compared' | 'differences' | 'clearing', Checked>> {
  const isCompared = covering.includes('reconciliation') && covering.includes('books');
  const uncompared = isCompared
    ? 'not compared with all of Square for more than a day'
    : `not compared with Square and with the list of orders ${sinceAll}`;
  const compared = { comparison: comparison?.report, reconciliation: reconciliation?.report };
  const { differing, unmatched } = openDifferences(compared, resolutionsOf(resolutions));
  const all = differing + unmatched + (comparison?.report.differing ?? 0);
  return {
    compared:
      isCompared && !isOld
        ? done('The ledger was compared with Square and with the list of orders after the last day.')
        : open(1, `The ledger was ${uncompared}. Press Compare Now on the page Books.`),
    differences:
      all === 0
        ? done('The comparisons found no difference that is open.')
        : open(all, `The comparisons found ${counted(all, 'open difference', 'open differences')}.`),
    clearing: clearingCheck(covering.includes('books') ? comparison : undefined),
  };
}

function clearingCheck(comparison: Glance['comparison']): Checked {
  if (comparison === undefined) return open(1, `The balance of Square clearing was not explained ${sinceAll}.`);
  const alarms = comparison.report.clearing.alarms.length;
  return alarms === 0
    ? done('The open items explain the balance of Square clearing.')
    : open(alarms, `The balance of Square clearing has ${counted(alarms, 'alarm', 'alarms')} on the page Books.`);
}

/** The check of a server counts, and takes away no fault that the proof with a kept note has found. */
function verifiedCheck({ verification, check }: Glance, covering: Covering): Checked {
  const found = [verification, check].filter((each) => each !== undefined);
  const faults = Math.max(0, ...found.map(({ report }) => report.faults));
  if (faults > 0) {
    return open(
      faults,
      `The last check found ${counted(faults, 'fault', 'faults')}. Tell the person who runs the server.`,
    );
  }
  return covering.includes('server-check') || covering.includes('verification')
    ? done('Every event was checked after the last day, and none was changed.')
    : open(1, `The events were not checked ${sinceAll}.`);
}

function witnessCheck(configured: Glance['witnesses']): Checked {
  const witnesses = configured.filter(keepsNotes);
  if (witnesses.length === 0) {
    return {
      state: 'unknown',
      count: 0,
      sentence:
        'No place outside this server gets the notes that prove the ledger. Ask the person who runs the server.',
    };
  }
  const late = witnesses.filter(({ isLate }) => isLate);
  if (late.length > 0) {
    return open(late.length, `No note reached ${late.map(({ to }) => to).join(', ')} within the last day.`);
  }
  const hours = Math.floor(Math.max(...witnesses.map(({ ageSeconds }) => ageSeconds)) / 3600);
  return done(`Every place outside this server has a note that is at most ${counted(hours + 1, 'hour', 'hours')} old.`);
}

/** Payments and refunds in doubt, and unsealed events, also count when they are earlier. */
async function countOpen(sql: Sql, timeZone: string, { from, through }: Period) {
  const row = await onlyRow(sql<{ doubt: number; without_fee: number; unsealed: number }[]>`
    with period as (
      select ledger.start_of_day(${from ?? '2000-01-01'}::text::date, ${timeZone}) as starts_at,
        ledger.start_of_day(${dayAfter(through)}::text::date, ${timeZone}) as ends_at
    ), sealed as (
      select epoch, xid from (
        (select sequence, epoch, xid from ledger.checkpoint order by sequence desc limit 1)
        union all select 0, 0::smallint, '0'::xid8
      ) last order by sequence desc limit 1
    )
    select
      (select count(*)::int from ledger.effect where state in ('open', 'parked') and opened_at < ends_at) as doubt,
      (
        select count(*)::int from ledger.order_summary
        where payment_status = 'paid' and paid_at >= starts_at and paid_at < ends_at and fee_cents = 0
          and square_payment_id is not null
      ) as without_fee,
      (
        select count(*)::int from (
          select from ledger.event
          where (event.epoch, event.xid) >= (sealed.epoch, sealed.xid) and occurred_at < ends_at
          order by event.epoch, event.xid, event.position limit 1
        ) waiting
      ) as unsealed
    from period, sealed`);
  return { doubt: row.doubt, withoutFee: row.without_fee, unsealed: row.unsealed };
}

/**
 * Those that were made after the last day, and missed no event of it or of a day before. In the order of the index,
 * which begins at the horizon, as above: PostgreSQL would read the whole ledger otherwise.
 */
async function readCovering(sql: Sql, timeZone: string, through: Day): Promise<Covering> {
  const rows = await sql<{ name: FindingName }[]>`
    with period as materialized (
      select ledger.start_of_day(${dayAfter(through)}::text::date, ${timeZone}) as ends_at
    )
    select name from ledger.finding, period
    where made_at >= ends_at and report -> 'horizon' is not null and not exists (
      select from (
        select occurred_at from ledger.event
        where (event.epoch, event.xid)
          >= ((report #>> '{horizon,epoch}')::smallint, (report #>> '{horizon,xid}')::xid8)
        order by event.epoch, event.xid, event.position
      ) later
      where occurred_at < ends_at
    )`;
  return rows.map(({ name }) => name);
}
