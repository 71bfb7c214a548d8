import type { Sql } from '../../core/database/database.ts';
import { booksStream } from '../../core/ledger/codecs/books.ts';
import { closingsStream } from '../../core/ledger/codecs/closings.ts';
import type { NoteToSend, WitnessPlace } from './witness.ts';

/** A day late, a witness may only have been away for a moment. After two more hours people are told. */
const lateAfterSeconds = 26 * 60 * 60;

/** A note that seals one of these events leaves soon after the seal. */
const closingStreams = [booksStream, closingsStream];
const closingTypes = ['PeriodClosed', 'PeriodReopened', 'PeriodCertified'];

/** A note is due a day after the last one, or when it seals a closing since. The database's clock decides. */
export async function findDueNote(sql: Sql, { kind, to }: WitnessPlace): Promise<NoteToSend | undefined> {
  const [due] = await sql<NoteToSend[]>`
    with newest as (
      select sequence, epoch, xid, note from ledger.checkpoint order by sequence desc limit 1
    ), last as (
      select checkpoint.epoch, checkpoint.xid, sent_at from ledger.witnessed join ledger.checkpoint using (sequence)
      where kind = ${kind} and sent_to = ${to} order by id desc limit 1
    )
    select newest.sequence, newest.note from newest left join last on true
    where last.sent_at is null
      or last.sent_at not between clock_timestamp() - interval '1 day' and clock_timestamp()
      or exists (
        select from ledger.event
        where stream_id = any (${sql.typed.textArray(closingStreams)}::text[])
          and type = any (${sql.typed.textArray(closingTypes)}::text[])
          and (event.epoch, event.xid) >= (last.epoch, last.xid)
          and (event.epoch, event.xid) < (newest.epoch, newest.xid)
      )`;
  return due;
}

export async function rememberWitnessed(
  sql: Sql,
  { kind, to }: WitnessPlace,
  { sequence, receipt }: { readonly sequence: number; readonly receipt: string },
): Promise<void> {
  await sql`select ledger.add_witnessed(${kind}, ${to}, ${sequence}::int, ${receipt})`;
}

export type WitnessAge = WitnessPlace & {
  readonly last: { readonly sequence: number; readonly sentAt: Date } | undefined;
  /** Since the last note was sent; without one, since the first checkpoint. */
  readonly ageSeconds: number;
  readonly isLate: boolean;
};

/** A timestamp authority keeps no note. */
export function keepsNotes({ kind }: WitnessPlace): boolean {
  return kind !== 'timestamp';
}

type AgeRow = { readonly sequence: number | null; readonly sent_at: Date | null; readonly age_seconds: number };

export async function readWitnessAges(sql: Sql, places: readonly WitnessPlace[]): Promise<readonly WitnessAge[]> {
  return await Promise.all(places.map((place) => readAge(sql, place)));
}

async function readAge(sql: Sql, { kind, to }: WitnessPlace): Promise<WitnessAge> {
  const [row] = await sql<AgeRow[]>`
    with last as (
      select sequence, sent_at from ledger.witnessed
      where kind = ${kind} and sent_to = ${to} order by id desc limit 1
    )
    select last.sequence, last.sent_at, coalesce(extract(epoch from clock_timestamp() - coalesce(
      last.sent_at, (select sealed_at from ledger.checkpoint order by sequence limit 1)
    )), 0)::float8 as age_seconds
    from (select) one left join last on true`;
  const { sequence = null, sent_at: sentAt = null, age_seconds: ageSeconds = 0 } = row ?? {};
  return {
    kind,
    to,
    last: sequence === null || sentAt === null ? undefined : { sequence, sentAt },
    ageSeconds,
    isLate: ageSeconds > lateAfterSeconds,
  };
}
