import type { Day } from '@kilim/domain/accounting/day';
import { eventTypes, type MovingWhen, moneyOfEvents } from '@kilim/domain/accounting/money-of-events';
import type { EventType } from '@kilim/domain/ledger-event';
import { cents } from '@kilim/domain/money';
import { unreachable } from '@kilim/domain/unreachable';
import { type Bytes, bytesOf } from '../database/copy/bytes.ts';
import { type CopiedRow, readInteger, readLength, skip } from '../database/copy/copied-row.ts';
import { appendInstant } from '../database/copy/instant.ts';
import { knowNames, standsAt } from '../database/copy/known-names.ts';
import { literal } from '../database/copy/sql-literal.ts';
import {
  appendByte,
  appendBytes,
  appendHex,
  appendId,
  appendInteger,
  appendValue,
  makeRoom,
  type TextBytes,
} from '../database/copy/text-bytes.ts';
import { appendDollars, appendTextCell, csvLine } from './csv.ts';
import { payloadColumns } from './payload-columns.ts';
import { createPayloadTexts, type PayloadTexts } from './payload-texts.ts';
import type { Scope } from './scope.ts';
import type { RowKind } from './selection.ts';

// Writes each line as bytes: a million events would otherwise become tens of millions of strings.
// Parsing each payload and joining cells runs at half of the speed. `payload-texts.spec.ts` proves
// that the search in bytes finds what parsing finds, `csv.spec.ts` that a cell of bytes is a cell
// of text, and `money-of-events.int.spec.ts` that `moved` is what the journal books for every type
// of event.

/** The columns of the event log; `docs/accounting.md` explains them. */
const columns = [
  'position',
  'event_id',
  'posted_on',
  'business_date',
  'late',
  'occurred_at',
  'recorded_at',
  'stream',
  'version',
  'type',
  'order_id',
  'amount',
  'moved',
  'currency',
  'payment_id',
  'refund_id',
  'square_id',
  'square_at',
  'reason',
  'actor',
  'hash',
] as const;

export const eventLogHeader = csvLine(columns);

/** These payloads are large, and no column shows anything of them. */
const unreadPayloads: readonly EventType[] = [
  'OrderPlaced',
  'SettingsChanged',
  'AccountsNamed',
  'PayoutEntriesRecorded',
];

/** The values of a row in the order in which `appendLogLine` reads them. */
export const logRows: RowKind<CopiedRow> = {
  columns: [
    ...['event_id', 'occurred_at', 'recorded_at', 'stream_id', 'version', 'type'],
    `case when type not in (${unreadPayloads.map(literal).join(', ')}) then payload end`,
    ...['amount_cents', 'currency', 'refund_id', 'actor', 'hash'],
  ],
  rowsPerPage: 500,
  rowOf: (row) => row,
};

/** The types whose amount is negative, or that can change the clearing account. */
const moneyTypes = eventTypes.filter(
  (type) => moneyOfEvents[type].amount === 'out' || moneyOfEvents[type].moves !== 'never',
);
const knownTypes = knowNames(moneyTypes);
// By the type's place in `moneyTypes`.
const isOutgoing = moneyTypes.map((type) => moneyOfEvents[type].amount === 'out');
const movingWhen = moneyTypes.map((type): MovingWhen | 'never' => moneyOfEvents[type].moves);

const textGroups = [
  payloadColumns.paymentId,
  payloadColumns.squareId,
  payloadColumns.squareAt,
  payloadColumns.reason,
  ['outcome'],
];
const [paymentId, squareId, squareAt, reason, outcome] = [0, 1, 2, 3, 4];

export type EventLog = {
  readonly scope: Scope;
  /** The values found in the payload of the current event. */
  readonly texts: PayloadTexts;
  /** The previous event's day columns: the next event usually has the same days. */
  days: { readonly day: Day; readonly postedOn: Day; readonly columns: Bytes };
};

export function openEventLog(scope: Scope): EventLog {
  const days = { day: '' as Day, postedOn: '' as Day, columns: bytesOf('') };
  return { scope, texts: createPayloadTexts(textGroups, 'wasPaid'), days };
}

const [carriageReturn, lineFeed, comma] = [13, 10, 44];

/** A line may repeat the row with doubled quotation marks. Its rest is no longer than this. */
const mostRepeated = 4;
const mostBesides = 1024;

export function appendLogLine(line: TextBytes, row: CopiedRow, log: EventLog): void {
  makeRoom(line, mostRepeated * row.bytes.length + mostBesides);
  const [epoch, xid] = [readInteger(row) ?? 0, readInteger(row) ?? 0];
  appendInteger(line, row, 0);
  appendByte(line, comma);
  appendId(line, row);
  appendByte(line, comma);
  const occurredAt = readInteger(row) ?? 0;
  appendDays(line, log, log.scope.daysOf({ occurredAt, epoch, xid }));
  appendInstant(line, occurredAt);
  appendByte(line, comma);
  appendInstant(line, readInteger(row) ?? 0);
  appendByte(line, comma);
  const streamAt = row.at;
  appendCell(line, row);
  appendInteger(line, row, 0);
  appendByte(line, comma);
  const type = appendType(line, row);
  appendOrderId(line, { bytes: row.bytes, at: streamAt });
  const hasPayload = readPayload(row, log.texts);
  const amount = readInteger(row);
  appendAmounts(line, amount !== null && isOutgoing[type] === true ? -amount : amount, hasMoved(log.texts, type));
  appendValue(line, row);
  appendByte(line, comma);
  appendText(line, log.texts, paymentId);
  if (hasPayload) appendCell(line, row);
  else {
    skip(row);
    appendByte(line, comma);
  }
  appendText(line, log.texts, squareId);
  appendText(line, log.texts, squareAt);
  appendText(line, log.texts, reason);
  appendCell(line, row);
  appendHex(line, row);
  appendByte(line, carriageReturn);
  appendByte(line, lineFeed);
}

function appendDays(line: TextBytes, log: EventLog, { day, postedOn }: ReturnType<Scope['daysOf']>): void {
  if (day !== log.days.day || postedOn !== log.days.postedOn) {
    const late = postedOn === day ? '' : 'late';
    log.days = { day, postedOn, columns: bytesOf(`${postedOn},${day},${late},`) };
  }
  appendBytes(line, log.days.columns);
}

/** @returns the type's place in `moneyTypes`, or less than zero. */
function appendType(line: TextBytes, row: CopiedRow): number {
  const length = readLength(row);
  const name = { buffer: row.bytes, at: row.at, end: row.at + length };
  const type = knownTypes.find(name);
  appendBytes(line, name);
  appendByte(line, comma);
  row.at += length;
  return type;
}

const orderPrefix = Buffer.from('order-');

/** For the stream of an order, the order's id. */
function appendOrderId(line: TextBytes, stream: CopiedRow): void {
  const length = readLength(stream);
  const { bytes, at } = stream;
  const isOrder = length >= orderPrefix.length && standsAt(orderPrefix, bytes, at);
  if (isOrder) appendBytes(line, { buffer: bytes, at: at + orderPrefix.length, end: at + length });
  appendByte(line, comma);
}

function readPayload(row: CopiedRow, texts: PayloadTexts): boolean {
  const length = readLength(row);
  texts.read({ buffer: row.bytes, at: row.at, end: row.at + length });
  row.at += length;
  return length > 0;
}

function appendText(line: TextBytes, texts: PayloadTexts, group: number): void {
  const text = texts.find(group);
  if (text !== undefined) appendTextCell(line, text);
  appendByte(line, comma);
}

function appendCell(line: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  appendTextCell(line, { buffer: row.bytes, at: row.at, end: row.at + length });
  appendByte(line, comma);
  row.at += length;
}

/** The event's amount, and the same again when it changed the clearing account. */
function appendAmounts(line: TextBytes, amount: number | null, moved: boolean): void {
  const at = line.length;
  if (amount !== null) appendDollars(line, cents(amount));
  const end = line.length;
  appendByte(line, comma);
  if (moved) appendBytes(line, { buffer: line.buffer, at, end });
  appendByte(line, comma);
}

function hasMoved(texts: PayloadTexts, type: number): boolean {
  const when = movingWhen[type];
  switch (when) {
    case 'always':
      return true;
    case 'won':
      return isWon(texts);
    case 'wasPaid':
      return texts.isFlagged();
    case 'never':
    case undefined:
      return false;
    default:
      return unreachable(when);
  }
}

const won = Buffer.from('won');

function isWon(texts: PayloadTexts): boolean {
  const text = texts.find(outcome);
  return text !== undefined && text.end - text.at === won.length && standsAt(won, text.buffer, text.at);
}
