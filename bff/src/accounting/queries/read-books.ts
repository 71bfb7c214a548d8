import { type Figure, sumOf } from '@kilim/domain/accounting/money-of-events';
import { type Cents, cents } from '@kilim/domain/money';
import { type RememberedReconciliation, reconciliation } from '../../core/background/reconcile-weeks.ts';
import { onlyRow, type Sql } from '../../core/database/database.ts';
import { resolutionsStream } from '../../core/ledger/codecs/resolutions.ts';
import { type Remembered, readFinding } from '../../core/ledger/findings.ts';
import { postponeJob } from '../../core/ledger/jobs.ts';
import { isOneOf, rareMoneyTypes, sumInSql } from '../../core/ledger/money-in-sql.ts';
import { type RecordedResolution, readResolutionEvents } from '../../core/queries/resolutions.ts';
import { readLastCheckpoint } from '../../proof/checkpoint.ts';
import { type VerificationFinding, verificationFinding } from '../../proof/remember-verification.ts';
import type { WitnessPlace } from '../../proof/witness/witness.ts';
import { readWitnessAges, type WitnessAge } from '../../proof/witness/witnessed.ts';
import { type BooksComparison, booksComparison } from './compare-books.ts';

export type LedgerNow = {
  readonly taken: Cents;
  readonly cardRefunds: Cents;
  readonly fees: Cents;
  readonly disputes: Cents;
  readonly unidentified: Cents;
  readonly onlyInPayouts: Cents;
  readonly writtenOff: Cents;
  /** The balance of the clearing account. */
  readonly atSquare: Cents;
  /** The part of `atSquare` in payouts on their way. */
  readonly onItsWay: Cents;
  readonly atBank: Cents;
};

export type Seals = {
  readonly last: { readonly sequence: number; readonly sealedAt: Date; readonly events: number } | undefined;
  /** Counted up to `mostUnsealed`. */
  readonly unsealed: number;
};

export const mostUnsealed = 10_000;

export type Books = {
  readonly now: LedgerNow;
  readonly seals: Seals;
  readonly witnesses: readonly WitnessAge[];
  readonly comparison: Remembered<BooksComparison> | undefined;
  readonly reconciliation: Remembered<RememberedReconciliation> | undefined;
  readonly verification: Remembered<VerificationFinding> | undefined;
  /** The servers' own check of the ledger, without a note that is kept elsewhere. */
  readonly check: Remembered<VerificationFinding> | undefined;
  readonly resolutions: readonly RecordedResolution[];
};

export async function readBooksAtAGlance(
  sql: Sql,
  timeZone: string,
  places: readonly WitnessPlace[] = [],
): Promise<Books> {
  const [now, seals, witnesses, comparison, remembered, verification, check, resolutions] = await Promise.all([
    readNow(sql, timeZone),
    readSeals(sql),
    readWitnessAges(sql, places),
    readFinding(sql, 'books', booksComparison),
    readFinding(sql, 'reconciliation', reconciliation),
    readFinding(sql, 'verification', verificationFinding),
    readFinding(sql, 'server-check', verificationFinding),
    readResolutionEvents(sql),
  ]);
  return { now, seals, witnesses, comparison, reconciliation: remembered, verification, check, resolutions };
}

/** Makes both comparisons due; the next free worker runs them. */
export async function askForComparison(sql: Sql): Promise<void> {
  await postponeJob(sql, 'reconcile-weeks', 0);
  await postponeJob(sql, 'compare-books', 0);
}

type NowRow = {
  readonly taken: number;
  readonly refunded: number;
  readonly fees: number;
  readonly disputes: number;
  readonly unidentified: number;
  readonly only_in_payouts: number;
  readonly bank: number;
  readonly on_its_way: number;
  readonly written_off: number;
};

const sumOfFigure = (figure: Figure) => sumInSql(sumOf(figure));

async function readNow(sql: Sql, timeZone: string): Promise<LedgerNow> {
  const row = await onlyRow(sql<NowRow[]>`
    with money as (
      select coalesce(sum(takings_cents), 0)::bigint as taken, coalesce(sum(refunds_cents), 0)::bigint as refunded,
        coalesce(sum(fees_cents), 0)::bigint as fees
      from ledger.money_days_now(${timeZone}, '2000-01-01', '2199-12-31')
    ), rare as (
      select ${sql.unsafe(sumOfFigure('disputes'))} as disputes, ${sql.unsafe(sumOfFigure('bank'))} as bank,
        ${sql.unsafe(sumOfFigure('unidentified'))} as unidentified,
        ${sql.unsafe(sumOfFigure('payoutEntries'))} as only_in_payouts,
        coalesce(sum(amount_cents) filter (where ${sql.unsafe(isOneOf(['PayoutRecorded']))} and not exists (
          select from ledger.event later
          where later.stream_id = event.stream_id and later.type in ('PayoutPaid', 'PayoutFailed')
        )), 0)::bigint as on_its_way
      from ledger.event
      where ${sql.unsafe(isOneOf(rareMoneyTypes))}
    ), resolved as (
      select ${sql.unsafe(sumOfFigure('writeOffs'))} as written_off
      from ledger.event where stream_id = ${resolutionsStream}
    )
    select * from money, rare, resolved`);
  const { taken, refunded, fees, disputes, unidentified, bank } = row;
  const { only_in_payouts: onlyInPayouts, written_off: writtenOff } = row;
  return {
    taken: cents(taken),
    cardRefunds: cents(refunded),
    fees: cents(fees),
    disputes: cents(disputes),
    unidentified: cents(unidentified),
    onlyInPayouts: cents(onlyInPayouts),
    writtenOff: cents(writtenOff),
    atSquare: cents(taken - refunded - fees - disputes + unidentified + onlyInPayouts + writtenOff - bank),
    onItsWay: cents(row.on_its_way),
    atBank: cents(bank),
  };
}

async function readSeals(sql: Sql): Promise<Seals> {
  const last = await readLastCheckpoint(sql);
  const { epoch, xid } = last?.to ?? { epoch: 0, xid: '0' };
  const [row] = await sql<{ unsealed: number; sealed_at: Date | null }[]>`
    select (
      select count(*) from (
        select from ledger.event where (epoch, xid) >= (${epoch}::smallint, ${xid}::text::xid8) limit ${mostUnsealed}
      ) waiting
    ) as unsealed, (select sealed_at from ledger.checkpoint where sequence = ${last?.sequence ?? 0}) as sealed_at`;
  const sealedAt = row?.sealed_at ?? undefined;
  return {
    last:
      last === undefined || sealedAt === undefined
        ? undefined
        : { sequence: last.sequence, sealedAt, events: last.events },
    unsealed: row?.unsealed ?? 0,
  };
}
