import type { EventType, LedgerEvent } from '@kilim/domain/ledger-event';
import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../../core/database/database.ts';
import { booksCodec } from '../../core/ledger/codecs/books.ts';
import type { StoredEvent } from '../../core/ledger/codecs/codec.ts';
import { orderCodec } from '../../core/ledger/codecs/order.ts';
import { resolutionsCodec } from '../../core/ledger/codecs/resolutions.ts';
import { settingsCodec } from '../../core/ledger/codecs/settings.ts';
import { orderIdOf } from '../../core/ledger/read.ts';

/** `ledger.gather_mails` gathers the same. */
export const toldTypes = [
  'RefundRequested',
  'ExternalRefundRecorded',
  'CustomerReimbursed',
  'ExcessRefundFound',
  'OrphanRefundRequested',
  'OrphanAssigned',
  'OrphanWrittenOff',
  'ClearingItemWrittenOff',
  'SettingsChanged',
  'AccountsNamed',
] as const satisfies readonly EventType[];

export type ToldEvent = Extract<LedgerEvent, { type: (typeof toldTypes)[number] }>;

export type Told = {
  readonly event: ToldEvent;
  /** The event before it in its stream. */
  readonly before: LedgerEvent | undefined;
  /** `admin:<name>`, `settle-worker` and the like. */
  readonly actor: string;
  readonly at: Date;
  readonly orderId: OrderId | undefined;
};

const codecs = [orderCodec, resolutionsCodec, settingsCodec, booksCodec];

type ToldRow = StoredEvent & { readonly version: number; readonly actor: string; readonly at: Date };

/** @param about `<stream>/<version>`. */
export async function readTold(sql: Sql, about: string): Promise<Told | undefined> {
  const [, streamId = '', version = ''] = /^(.+)\/(\d+)$/.exec(about) ?? [];
  const rows = await sql<ToldRow[]>`
    select type, schema_version as "schemaVersion", payload::text as payload, version, actor, recorded_at as at
    from ledger.event where stream_id = ${streamId} and version in (${Number(version)}, ${Number(version) - 1})
    order by version desc`;
  const [row, earlier] = rows;
  if (row === undefined || row.version !== Number(version)) return undefined;
  const event = decode(row);
  if (!isTold(event)) return undefined;
  const { actor, at } = row;
  return {
    event,
    before: earlier === undefined ? undefined : decode(earlier),
    actor,
    at,
    orderId: orderIdOf(streamId),
  };
}

function decode(stored: StoredEvent): LedgerEvent {
  const codec = codecs.find(({ knows }) => knows(stored.type));
  if (codec === undefined) throw new Error(`No mail can be about the event ${stored.type}`);
  return codec.decode(stored);
}

function isTold(event: LedgerEvent): event is ToldEvent {
  return toldTypes.some((type) => type === event.type);
}

export type ToldEntry = {
  readonly at: Date;
  readonly kind: string;
  readonly username: string;
  readonly displayName: string;
  readonly actorName: string | null;
  readonly browser: string | null;
  readonly detail: string;
};

/** @param about `entry/<id>`. */
export async function readToldEntry(sql: Sql, about: string): Promise<ToldEntry | undefined> {
  const [, id] = /^entry\/(\d{1,18})$/.exec(about) ?? [];
  if (id === undefined) return undefined;
  const [entry] = await sql<ToldEntry[]>`
    select at, kind, username, display_name as "displayName", actor_name as "actorName", browser, detail
    from admin.security_entry_with(${id}::bigint) where username is not null`;
  return entry;
}
