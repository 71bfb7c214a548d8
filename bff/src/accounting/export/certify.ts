import { createHash } from 'node:crypto';
import type { Books, Closing } from '@kilim/domain/accounting/books';
import type { CertifiedFile, PeriodCertified } from '@kilim/domain/accounting/closings';
import { type Day, dayAfter, parseDay } from '@kilim/domain/day';
import { type ExportFormat, exportFormats, isImport } from '../../../contract/exports.ts';
import type { Sql } from '../../core/database/database.ts';
import { exportEdition, exportKinds, fileNameOf, readParts } from './kinds.ts';
import { type DayRange, openScope, type Scope } from './scope.ts';
import { countEvents } from './selection.ts';
import { sumJournal } from './sum-journal.ts';

export type CertifiedExports = Omit<PeriodCertified, 'type' | 'openPoints'>;

export type CertifyOptions = {
  readonly closing: Closing;
  readonly timeZone: string;
  /** A later program may know more formats than the certificate. */
  readonly formats?: readonly ExportFormat[];
};

/** Closed days give the same result until a reopening. Reads every event of the period once for each file. */
export async function certifyExports(
  sql: Sql,
  books: Books,
  { closing, timeZone, formats = exportFormats }: CertifyOptions,
): Promise<CertifiedExports> {
  const range = await daysOfClosing(sql, books, closing);
  const scope = await openScope(sql, timeZone, range);
  const sums = await sumJournal(sql, scope);
  const files: CertifiedFile[] = [];
  for (const format of formats) {
    for (const part of await partsOf(sql, format, scope)) {
      files.push(await digestOf(sql, format, await openScope(sql, timeZone, part)));
    }
  }
  return {
    closing: closing.version,
    from: range.from,
    through: range.to,
    exportEdition,
    counts: { events: await countEvents(sql, scope), ...sums.counts },
    balances: sums.balances,
    files,
  };
}

/**
 * The first closing begins with the month of the first event, so that its files are those that people download for that
 * month.
 */
async function daysOfClosing(sql: Sql, { closings }: Books, closing: Closing): Promise<DayRange> {
  const { through, timeZone, horizon } = closing;
  const before = closings.findLast(({ version }) => version < closing.version);
  if (before !== undefined) return { from: dayAfter(before.through), to: through };
  const [row] = await sql<{ day: string | null }[]>`
    select (min(occurred_at) at time zone ${timeZone})::date::text as day from ledger.event
    where (epoch, xid) < (${horizon.epoch}::smallint, ${horizon.xid}::text::xid8)`;
  const first: Day = parseDay(`${row?.day?.slice(0, 'yyyy-mm'.length)}-01`) ?? through;
  return { from: first < through ? first : through, to: through };
}

/** A program that imports only short files gets parts. */
async function partsOf(sql: Sql, format: ExportFormat, scope: Scope): Promise<readonly DayRange[]> {
  return isImport(format) ? await readParts(sql, { scope }, format) : [scope];
}

async function digestOf(sql: Sql, format: ExportFormat, scope: Scope): Promise<CertifiedFile> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const piece of exportKinds[format].pieces(sql, { scope })) {
    digest.update(piece);
    bytes += Buffer.byteLength(piece);
  }
  return { format, fileName: fileNameOf(format, scope), bytes, sha256: digest.digest('hex') };
}
