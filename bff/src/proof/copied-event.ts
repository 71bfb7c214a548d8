import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Sql } from '../database.ts';
import { type StreamRange, streamCondition } from './split-streams.ts';

// Verifying reads everything there is, so it reads it in the form that costs PostgreSQL and us least: COPY, whose rows are, but for the
// characters between the fields, already the text that was hashed.

export type CopiedEvent = {
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly amountCents: number | null;
  readonly payload: string;
  /** Hexadecimal. */
  readonly previousHash: string;
  readonly hash: string;
  /** Of what stands in the row. */
  readonly computedHash: string;
};

/** Rows in the order of streams and versions, for `readCopiedEvent`. Whoever starts to read has to read to the end. */
export async function copyEvents(sql: Sql, range: StreamRange): Promise<Readable> {
  // Nothing and an empty text are the same to the hash, too. COPY takes no parameters.
  return await sql
    .unsafe(`
      copy (
        select stream_id, version, event_id, command_id, type, schema_version, refund_id, amount_cents, currency, actor, request_id,
          ${microseconds('occurred_at')}, ${microseconds('recorded_at')}, payload, previous_hash, hash
        from ledger.event where ${streamCondition(range)}
        order by stream_id, version
      ) to stdout (null '')`)
    .readable();
}

/** Since 1970. Floating point is exact to the microsecond before the year 2100, and much faster. */
function microseconds(instant: string): string {
  return `case when ${instant} < '2100-01-01' then (date_part('epoch', ${instant}) * 1000000)::bigint
    else (extract(epoch from ${instant}) * 1000000)::bigint end`;
}

const tab = 9;
const lineFeed = 10;
const backslash = 92;
const fieldsOfText = 14;
/** Bytes are written as `\\x`, and two digits each. */
const digitsAt = 3;

const heading = Buffer.from('kilim-event-1\n');
const textAt = 32 + heading.length;
/** The hash before, the heading, and the text of the event, one behind the other. Larger events get a larger one. */
let hashed = Buffer.alloc(64 * 1024);

/** One row of `copyEvents`. As `ledger.event_hash` makes it (migration 0001): the canonical form of an event is its fields as lines. */
export function readCopiedEvent(row: Buffer): CopiedEvent {
  const hashAt = row.lastIndexOf(tab) + 1;
  const previousHashAt = row.lastIndexOf(tab, hashAt - 2) + 1;
  const previousHash = row.toString('latin1', previousHashAt + digitsAt, hashAt - 1);
  const { text, ends } = linesOf(row.subarray(0, previousHashAt - 1));
  if (textAt + text.length > hashed.length) hashed = Buffer.alloc(2 * (textAt + text.length));
  hashed.write(previousHash, 0, 'hex');
  heading.copy(hashed, 32);
  text.copy(hashed, textAt);
  const field = (index: number) => text.toString('latin1', (ends[index - 1] ?? -1) + 1, ends[index]);
  const amount = field(7);
  return {
    streamId: text.toString('utf8', 0, ends[0]),
    version: Number(field(1)),
    type: field(4),
    amountCents: amount === '' ? null : Number(amount),
    payload: text.toString('utf8', (ends[fieldsOfText - 2] ?? 0) + 1),
    previousHash,
    hash: row.toString('latin1', hashAt + digitsAt, row.length - 1),
    computedHash: hash('sha256', hashed.subarray(0, textAt + text.length), 'hex'),
  };
}

type Lines = { readonly text: Buffer /** Where the fields end. */; readonly ends: readonly number[] };

/** Makes lines of the fields, all but the last of which end with a tab. */
function linesOf(fields: Buffer): Lines {
  const ends: number[] = [];
  for (let at = fields.indexOf(tab); at >= 0; at = fields.indexOf(tab, at + 1)) ends.push(at);
  ends.push(fields.length);
  if (ends.length !== fieldsOfText) throw new Error('PostgreSQL sent a row that is not an event');
  if (fields.includes(backslash)) return unescapedLines(fields);
  for (const end of ends.slice(0, -1)) fields[end] = lineFeed;
  return { text: fields, ends };
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** What COPY wrote with backslashes, as it was. */
function unescapedLines(fields: Buffer): Lines {
  const parts = fields
    .toString()
    .split('\t')
    .map((field) => Buffer.from(field.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)));
  let end = -1;
  const ends = parts.map((part) => (end += part.length + 1));
  return {
    text: Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.of(lineFeed), part]))),
    ends,
  };
}
