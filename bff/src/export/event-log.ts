import type { Day } from '@kilim/domain/accounting/day';
import { cents } from '@kilim/domain/money';
import { bytesOf } from '../database/copy/bytes.ts';
import { type CopiedRow, readInteger, readLength, skip } from '../database/copy/copied-row.ts';
import { appendInstant } from '../database/copy/instant.ts';
import { knowNames, standsAt } from '../database/copy/known-names.ts';
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
import { createPayloadTexts } from './payload-texts.ts';
import type { Scope } from './scope.ts';
import type { RowKind } from './selection.ts';

/** What the event log's spreadsheet shows; `docs/accounting.md` explains each. */
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

/** What is written is read in the same order. Orders and settings are large and say nothing in the event log. */
export const logRows: RowKind<CopiedRow> = {
  columns: [
    ...['event_id', 'occurred_at', 'recorded_at', 'stream_id', 'version', 'type'],
    `case when type not in ('OrderPlaced', 'SettingsChanged', 'AccountsNamed', 'PayoutEntriesRecorded') then payload end`,
    ...['amount_cents', 'currency', 'refund_id', 'actor', 'hash'],
  ],
  rowsPerPage: 4000,
  rowOf: (row) => row,
};

/** Money that goes out, is promised to go out, or does not go out after all: its amount is negative. */
const outgoing: readonly string[] = [
  'RefundRequested',
  'RefundCompleted',
  'RefundFailed',
  'ExternalRefundRecorded',
  'ExcessRefundFound',
  'ProcessingFeeAssessed',
  'DisputeOpened',
  'OrphanPaymentReturned',
  'PayoutPaid',
];

/** What moves Square's balance as soon as it is recorded. A dispute that closes moves it only when it is won. */
const moving: readonly string[] = [
  'PaymentCaptured',
  'RefundCompleted',
  'ExternalRefundRecorded',
  'ExcessRefundFound',
  'ProcessingFeeAssessed',
  'DisputeOpened',
  'OrphanPaymentFound',
  'OrphanPaymentReturned',
  'PayoutEntriesRecorded',
  'PayoutPaid',
];

const types = [...new Set([...outgoing, ...moving, 'DisputeClosed'])];
const knownTypes = knowNames(types);
const isOutgoing = types.map((type) => outgoing.includes(type));
const isMoving = types.map((type) => moving.includes(type));
const disputeClosed = types.indexOf('DisputeClosed');

/** What is the same in all events that have it. Every kind of stream passes through, also events that this program does not know. */
const said = createPayloadTexts(
  [
    ['paymentId'],
    ['squareRefundId', 'squareDisputeId', 'squarePayoutId', 'squarePaymentId', 'squareId'],
    ['capturedAt', 'completedAt', 'refundedAt', 'takenAt', 'returnedAt', 'paidAt', 'failedAt', 'sentAt'],
    ['reason', 'code', 'outcome'],
    ['outcome'],
  ],
  'wasPaid',
);
const [paymentId, squareId, squareAt, reason, outcome] = [0, 1, 2, 3, 4];

const [carriageReturn, lineFeed, comma] = [13, 10, 44];

/** An event may be repeated in its line, its texts with twice as many quotation marks; what else is in a line is not longer than this. */
const mostRepeated = 4;
const mostBesides = 1024;

/** As bytes: what goes over all events has no time to make strings of values. */
export function appendLogLine(line: TextBytes, row: CopiedRow, scope: Scope): void {
  makeRoom(line, mostRepeated * row.bytes.length + mostBesides);
  const [epoch, xid] = [readInteger(row) ?? 0, readInteger(row) ?? 0];
  appendInteger(line, row, 0);
  appendByte(line, comma);
  appendId(line, row);
  appendByte(line, comma);
  const occurredAt = readInteger(row) ?? 0;
  appendDays(line, scope.daysOf({ occurredAt, epoch, xid }));
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
  const isSilent = readPayload(row);
  appendAmounts(line, readInteger(row), type);
  appendValue(line, row);
  appendByte(line, comma);
  appendSaid(line, paymentId);
  if (isSilent) {
    skip(row);
    appendByte(line, comma);
  } else appendCell(line, row);
  appendSaid(line, squareId);
  appendSaid(line, squareAt);
  appendSaid(line, reason);
  appendCell(line, row);
  appendHex(line, row);
  appendByte(line, carriageReturn);
  appendByte(line, lineFeed);
}

/** Events that follow each other mostly have the same days. */
let known = { day: '' as Day, postedOn: '' as Day, columns: bytesOf('') };

function appendDays(line: TextBytes, { day, postedOn }: ReturnType<Scope['daysOf']>): void {
  if (day !== known.day || postedOn !== known.postedOn) {
    const late = postedOn === day ? '' : 'late';
    known = { day, postedOn, columns: bytesOf(`${postedOn},${day},${late},`) };
  }
  appendBytes(line, known.columns);
}

/** @returns its place among the types that mean something here. */
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

/** Of the stream of an order, what comes after the first letters. */
function appendOrderId(line: TextBytes, stream: CopiedRow): void {
  const length = readLength(stream);
  const { bytes, at } = stream;
  const isOrder = length >= orderPrefix.length && standsAt(orderPrefix, bytes, at);
  if (isOrder) appendBytes(line, { buffer: bytes, at: at + orderPrefix.length, end: at + length });
  appendByte(line, comma);
}

/** @returns whether there is none here, and the event says nothing but what its columns say. */
function readPayload(row: CopiedRow): boolean {
  const length = readLength(row);
  said.read({ buffer: row.bytes, at: row.at, end: row.at + length });
  row.at += length;
  return length === 0;
}

function appendSaid(line: TextBytes, group: number): void {
  const text = said.find(group);
  if (text !== undefined) appendTextCell(line, text);
  appendByte(line, comma);
}

function appendCell(line: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  appendTextCell(line, { buffer: row.bytes, at: row.at, end: row.at + length });
  appendByte(line, comma);
  row.at += length;
}

/** What the event is about, and, when it moves Square's balance, the same once more. */
function appendAmounts(line: TextBytes, amountCents: number | null, type: number): void {
  const at = line.length;
  if (amountCents !== null) appendDollars(line, cents(isOutgoing[type] === true ? -amountCents : amountCents));
  const end = line.length;
  appendByte(line, comma);
  const moved = isMoving[type] === true || (type === disputeClosed && isWon()) || said.isFlagged();
  if (moved) appendBytes(line, { buffer: line.buffer, at, end });
  appendByte(line, comma);
}

const won = Buffer.from('won');

function isWon(): boolean {
  const text = said.find(outcome);
  return text !== undefined && text.end - text.at === won.length && standsAt(won, text.buffer, text.at);
}
