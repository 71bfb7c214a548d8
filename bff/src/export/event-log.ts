import { type MoneyOfEvent, moneyOfEvents } from '@kilim/domain/accounting/money-of-events';
import { cents, decimalDollars, negate } from '@kilim/domain/money';
import { isOneOf } from '../ledger/money-in-sql.ts';
import { textCell } from './csv.ts';
import { payloadColumns } from './payload-columns.ts';
import type { EventPlace, Scope } from './scope.ts';
import { instant, type Place, placeColumns, type RowKind } from './selection.ts';

// The event log as CSV and as JSON lines. `docs/accounting.md` explains the columns.

type JsonRow = Place & EventPlace & { readonly fields: string };

/**
 * PostgreSQL writes every field that the hash of an event covers, and the hash. The payload comes
 * last as the stored text, byte for byte, so that a reader can compute the hash.
 */
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

/** These payloads are large, and no column shows anything of them. */
const unread = ['OrderPlaced', 'SettingsChanged', 'AccountsNamed', 'PayoutEntriesRecorded'] as const;

type Payload = Readonly<Record<string, unknown>>;
type LogRow = { readonly fields: string; readonly payload: Payload | null };

/** Separates units in ASCII: no field holds it. */
const separator = '\u001f';

/** The fields are one value, because reading a value takes longer than writing its line. */
export const logRows: RowKind = {
  columns: `concat_ws('${separator}', epoch, xid, position, event_id, ${instant('occurred_at')},
      ${instant('recorded_at')}, stream_id, version, type, coalesce(amount_cents::text, ''), coalesce(currency, ''),
      coalesce(refund_id, ''), actor, encode(hash, 'hex')) as fields,
    case when not ${isOneOf(unread)} then payload end as payload`,
};

export const eventLogHeader =
  'position,event_id,posted_on,business_date,late,occurred_at,recorded_at,stream,version,type,order_id,amount,moved,\
currency,payment_id,refund_id,square_id,square_at,reason,actor,hash\r\n';

export function logLine({ fields, payload }: LogRow, scope: Scope): string {
  const [epoch, xid = '', position, eventId, occurredAt = '', recordedAt, streamId = '', version, ...others] =
    fields.split(separator);
  const [type = '', amountCents = '', currency, refundId = '', actor = '', hash] = others;
  const { day, postedOn } = scope.daysOf({ occurredAt, epoch: Number(epoch), xid });
  const late = postedOn === day ? '' : 'late';
  const orderId = streamId.startsWith('order-') ? streamId.slice('order-'.length) : '';
  const money = (moneyOfEvents as Readonly<Record<string, MoneyOfEvent>>)[type];
  const amount = amountCents === '' ? '' : dollarsOf(Number(amountCents), money);
  const found = payload ?? {};
  const moved = money !== undefined && hasMoved[money.moves](found) ? amount : '';
  return `${position},${eventId},${postedOn},${day},${late},${occurredAt},${recordedAt},${textCell(streamId)},${version},\
${type},${orderId},${amount},${moved},${currency},${cellOf(found, paymentId)},${textCell(refundId)},\
${cellOf(found, squareId)},${cellOf(found, squareAt)},${cellOf(found, reason)},${textCell(actor)},${hash}\r\n`;
}

function dollarsOf(amountCents: number, money: MoneyOfEvent | undefined): string {
  const amount = cents(amountCents);
  return decimalDollars(money?.amount === 'out' ? negate(amount) : amount);
}

const { paymentId, squareId, squareAt, reason } = payloadColumns;

/** The first of these keys that holds a text. */
function cellOf(payload: Payload, keys: readonly string[]): string {
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === 'string' && value !== '') return textCell(value);
  }
  return '';
}

/** Whether an event changed the clearing account by its amount. */
const hasMoved = {
  always: () => true,
  never: () => false,
  won: ({ outcome }) => outcome === 'won',
  wasPaid: ({ wasPaid }) => wasPaid === true,
} satisfies Record<MoneyOfEvent['moves'], (payload: Payload) => boolean>;
