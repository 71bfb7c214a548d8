import { type MoneyOfEvent, moneyOfEvents } from '@kilim/domain/accounting/money-of-events';
import type { LedgerEvent } from '@kilim/domain/ledger-event';
import { cents, decimalDollars } from '@kilim/domain/money';
import { csvLine, textCell } from '../../core/csv/csv.ts';
import { isOneOf } from '../../core/ledger/money-in-sql.ts';
import type { EventPlace, Scope } from './scope.ts';
import { instant, type Place, placeColumns, type RowKind } from './selection.ts';

// `docs/accounting.md` explains the columns.

type JsonRow = Place & EventPlace & { readonly fields: string };

/** The payload comes last as the stored text, byte for byte, so that a reader can compute the hash. */
export const jsonRows: RowKind = {
  columns: `${placeColumns}, ${instant('occurred_at')} as "occurredAt", (select row_to_json(fields)::text from (
    select stream_id as "streamId", version, event_id as "eventId", command_id as "commandId", type,
      schema_version as "schemaVersion", refund_id as "refundId", amount_cents as "amountCents", currency, actor,
      request_id as "requestId", ${instant('occurred_at')} as "occurredAt", ${instant('recorded_at')} as "recordedAt",
      encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash, payload
  ) fields) as fields`,
};

export function jsonLine(row: JsonRow, scope: Scope): string {
  const { position, epoch, xid, fields } = row;
  const { day, postedOn } = scope.daysOf(row);
  const days = `"postedOn":"${postedOn}","businessDate":"${day}","late":${postedOn !== day}`;
  return `{"position":${position},"epoch":${epoch},"xid":"${xid}",${days},${fields.slice(1)}\n`;
}

/** Large payloads of which no column shows anything. */
const unread = ['OrderPlaced', 'SettingsChanged', 'AccountsNamed', 'PayoutEntriesRecorded'] as const;

type Payload = Readonly<Record<string, unknown>>;
type Shown = Exclude<keyof typeof payloadColumns, 'hidden'>;
type LogRow = { readonly fields: string; readonly payload: Payload | null };

/** ASCII's unit separator: no field holds it. */
const separator = '\u001f';

/** One value, because reading a value takes longer than writing its line. */
export const logRows: RowKind = {
  columns: `concat_ws('${separator}', epoch, xid, position, event_id, occurred_at, recorded_at, stream_id, version,
      type, coalesce(amount_cents::text, ''), coalesce(currency, ''), coalesce(refund_id, ''), actor,
      encode(hash, 'hex')
    ) as fields,
    case when not ${isOneOf(unread)} then payload end as payload`,
};

export const eventLogHeader =
  'position,event_id,posted_on,business_date,late,occurred_at,recorded_at,stream,version,type,order_id,amount,moved,\
currency,payment_id,refund_id,square_id,square_at,reason,actor,hash\r\n';

/** Joins the cells in one step: a template would keep every piece in memory, and freeing them takes longest. */
export function logLine({ fields, payload }: LogRow, scope: Scope): string {
  const [epoch, xid = '', position = '', eventId = '', occurred = '', recorded = '', ...others] =
    fields.split(separator);
  const [
    streamId = '',
    version = '',
    type = '',
    amountCents = '',
    currency = '',
    refundId = '',
    actor = '',
    hash = '',
  ] = others;
  const occurredAt = isoInstant(occurred);
  const { day, postedOn } = scope.daysOf({ occurredAt, epoch: Number(epoch), xid });
  const late = postedOn === day ? '' : 'late';
  const orderId = streamId.startsWith('order-') ? streamId.slice('order-'.length) : '';
  const found = (column: Shown) => cellIn(payload, payloadColumns[column]);
  const [amount, moved] = amountsOf(type, amountCents, payload);
  return csvLine([
    position,
    eventId,
    postedOn,
    day,
    late,
    occurredAt,
    isoInstant(recorded),
    textCell(streamId),
    version,
    type,
    orderId,
    amount,
    moved,
    currency,
    found('paymentId'),
    textCell(refundId),
    found('squareId'),
    found('squareAt'),
    found('reason'),
    textCell(actor),
    hash,
  ]);
}

/** As `instant` has it, from PostgreSQL's own text. */
function isoInstant(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
}

function cellIn(payload: Payload | null, keys: readonly string[]): string {
  for (const key of keys) {
    const value = payload?.[key];
    if (typeof value === 'string' && value !== '') return textCell(value);
  }
  return '';
}

/** The event's amount, and the same again when it changed the clearing account. */
function amountsOf(type: string, amountCents: string, payload: Payload | null): readonly [string, string] {
  if (amountCents === '') return ['', ''];
  const money = (moneyOfEvents as Readonly<Record<string, MoneyOfEvent>>)[type];
  const amount = decimalDollars(cents(money?.amount === 'out' ? -amountCents : +amountCents));
  return [amount, money !== undefined && hasMoved[money.moves](payload) ? amount : ''];
}

const hasMoved = {
  always: () => true,
  never: () => false,
  won: (payload) => payload?.['outcome'] === 'won',
  wasPaid: (payload) => payload?.['wasPaid'] === true,
} satisfies Record<MoneyOfEvent['moves'], (payload: Payload | null) => boolean>;

type KeyOf<Event> = Event extends unknown ? Exclude<keyof Event, 'type'> : never;
type PayloadKey = KeyOf<LedgerEvent>;

/** The first key that holds a text counts. `hidden` lists the keys that no column shows. */
const keys = {
  paymentId: ['paymentId'],
  squareId: ['squareRefundId', 'squareDisputeId', 'squarePayoutId', 'squarePaymentId', 'squareId'],
  squareAt: ['capturedAt', 'completedAt', 'refundedAt', 'takenAt', 'returnedAt', 'paidAt', 'failedAt', 'sentAt'],
  reason: ['reason', 'code', 'outcome'],
  hidden: [
    ...[
      'orderId',
      'rugs',
      'deliveryOption',
      'lines',
      'salesTax',
      'total',
      'settingsVersion',
      'source',
      'contactDigest',
    ],
    ...['idempotencyKey', 'amount', 'cardBrand', 'cardLastFour', 'receiptUrl', 'receiptNumber', 'category', 'risk'],
    ...['refundId', 'refundType', 'notes', 'textDigest', 'items', 'charges', 'deliveryMinimum'],
    ...['allocation', 'split', 'requestedBy', 'reimbursementId', 'method', 'paidOn', 'reimbursedBy', 'recordedAt'],
    ...['dueAt', 'reference', 'erasedBy', 'kind', 'arrivalDate', 'endToEndId', 'totals', 'entries', 'wasPaid'],
    ...['through', 'timeZone', 'endsAt', 'horizon', 'chart', 'by'],
    ...['closing', 'exportEdition', 'counts', 'balances', 'files', 'openPoints'],
    ...['version', 'settings', 'username', 'how', 'endedSessions'],
    ...['role', 'purpose', 'from', 'to', 'revokedTokens', 'count', 'stated', 'before', 'after'],
    ...['undoes', 'correctedRefundId', 'why', 'day', 'window'],
    ...['supplementOf', 'supplementId', 'sizes', 'expiresOn', 'step'],
  ],
} as const satisfies Record<string, readonly PayloadKey[]>;

type Listed = (typeof keys)[keyof typeof keys][number];

/** A key of a new event does not compile until it is listed. */
export const payloadColumns: typeof keys & Record<Exclude<PayloadKey, Listed>, never> = keys;
