import type { PeriodClosed } from '@kilim/domain/accounting/books';
import type { PeriodCertified } from '@kilim/domain/accounting/closings';
import { sumCents } from '@kilim/domain/money';
import type { Certificate } from '../../../contract/certificate.ts';
import type { Sql } from '../../core/database/database.ts';
import { type BooksHistory, type RecordedEvent, readBooksHistory } from '../../core/ledger/read.ts';

const lateFacts =
  'Facts that the ledger records after the closing keep their day, are marked late, and are posted on the first day ' +
  'that was open. They change no file of this period. If an owner reopens the period, this certificate is superseded.';

/** @returns undefined when there is no such closing, or its certificate is not made yet. */
export async function readCertificate(sql: Sql, version: number): Promise<Certificate | undefined> {
  const history = await readBooksHistory(sql);
  const closed = history.books.events.find((recorded) => recorded.version === version);
  const certified = certificateOf(history, version);
  if (closed?.event.type !== 'PeriodClosed' || certified === undefined) return undefined;
  const checkpoint = await firstCheckpointAfter(sql, closed.event);
  const reopened = reopeningOf(history, version);
  return {
    ...certifiedPart({ ...closed, event: closed.event }, certified),
    lateFacts,
    state: reopened === null ? 'in-force' : 'superseded',
    reopened,
    checkpoint,
  };
}

function certifiedPart(
  { event: closed, occurredAt: closedAt }: RecordedEvent<PeriodClosed>,
  { event: certified, occurredAt: certifiedAt }: RecordedEvent<PeriodCertified>,
) {
  const { balances, counts, exportEdition, files, openPoints, from, through } = certified;
  return {
    kind: 'kilim-closing-certificate' as const,
    closing: certified.closing,
    from,
    through,
    timeZone: closed.timeZone,
    closedAt,
    closedBy: closed.by,
    certifiedAt,
    exportEdition,
    events: counts.events,
    bookings: counts.bookings,
    lateBookings: counts.late,
    debits: sumCents(balances.map(({ debit }) => debit)),
    credits: sumCents(balances.map(({ credit }) => credit)),
    balances: balances.map((sums) => ({ ...sums, ...closed.chart.accounts[sums.account] })),
    files: [...files],
    openPoints: [...openPoints],
  };
}

export function certificateOf({ closings }: BooksHistory, version: number): RecordedEvent<PeriodCertified> | undefined {
  for (const recorded of closings.events) {
    const { event } = recorded;
    if (event.type === 'PeriodCertified' && event.closing === version) return { ...recorded, event };
  }
  return undefined;
}

/** A reopened closing never gets a missing certificate. */
export async function wasReopened(sql: Sql, version: number): Promise<boolean> {
  return reopeningOf(await readBooksHistory(sql), version) !== null;
}

/** Null while the closing is in force. */
export function reopeningOf({ closings }: BooksHistory, version: number): Certificate['reopened'] {
  for (const { event, occurredAt: at } of closings.events) {
    if (event.type === 'PeriodReopened' && event.closing === version) return { at, by: event.by, reason: event.reason };
  }
  return null;
}

export async function firstCheckpointAfter(
  sql: Sql,
  { horizon }: Pick<PeriodClosed, 'horizon'>,
): Promise<Certificate['checkpoint']> {
  const [row] = await sql<{ sequence: number; note: string }[]>`
    select sequence, note from ledger.checkpoint
    where (epoch, xid) >= (${horizon.epoch}::smallint, ${horizon.xid}::text::xid8)
    order by sequence limit 1`;
  return row === undefined ? null : { sequence: row.sequence, note: row.note };
}
