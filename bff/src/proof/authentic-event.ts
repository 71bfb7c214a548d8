import { isTrue, type Sql, type Transaction } from '../core/database/database.ts';
import { authenticate } from '../core/ledger/authenticity.ts';
import type { AnyEvent } from '../core/ledger/codecs/codec.ts';
import type { StreamKind } from '../core/ledger/read.ts';
import { type AuthenticatedEvent, isMacOf, type MacKey, macsOf } from './event-mac.ts';

type Row = Omit<AuthenticatedEvent, 'streamId' | 'requestId'> & {
  readonly requestId: string | null;
  readonly requestHash: Uint8Array;
  readonly fromVersion: number;
  readonly macs: Uint8Array | null;
};

/** From now on, appends through this pool carry a MAC. */
export function authenticateAppends(pool: Sql, key: MacKey): void {
  authenticate(pool, {
    stamp: ({ events, expectedVersion, ...command }) =>
      macsOf(
        key,
        command.requestHash,
        events.map((event, index) => ({ ...command, ...event, version: expectedVersion + index + 1 })),
      ),
    readLast: (sql, kind) => readAuthenticEvent(sql, kind, key),
    ofStream: async (sql, streamId) => {
      const rows = await readRows(sql, streamId, { key, before: afterAnyVersion, most: afterAnyVersion });
      const versions = new Set(rows.filter((row) => isAuthenticRow(row, streamId, key)).map(({ version }) => version));
      return (version) => versions.has(version);
    },
    hasStamped: async (sql, beginning) => {
      return await isTrue(sql`
        select exists (
          select from ledger.command
          where starts_with(stream_id, ${beginning}) and substr(stamp, 1, ${key.id.length}) = ${key.id}
        )`);
    },
    keyOfTokens: key.ofTokens,
  });
}

/** An event by anybody else has another MAC, and is skipped. */
async function readAuthenticEvent<Event extends AnyEvent>(
  sql: Sql | Transaction,
  { streamId, codec }: StreamKind<Event>,
  key: MacKey,
): Promise<Event | undefined> {
  for (let before = afterAnyVersion; ; ) {
    const [row] = await readRows(sql, streamId, { key, before, most: 1 });
    if (row === undefined) return undefined;
    if (isAuthenticRow(row, streamId, key)) return codec.decode(row);
    before = row.version;
  }
}

const afterAnyVersion = 2 ** 31 - 1;

type Part = { readonly key: MacKey; readonly before: number; readonly most: number };

async function readRows(
  sql: Sql | Transaction,
  streamId: string,
  { key, before, most }: Part,
): Promise<readonly Row[]> {
  return await sql<Row[]>`
    select event.version, event.command_id as "commandId", event.type, event.schema_version as "schemaVersion",
      event.refund_id as "refundId", event.amount_cents as "amountCents", event.actor, event.request_id as "requestId",
      event.occurred_at as "occurredAt", event.payload::text as payload, command.request_hash as "requestHash",
      command.from_version as "fromVersion", command.stamp as macs
    from ledger.event join ledger.command on command.command_id = event.command_id
    where event.stream_id = ${streamId} and substr(command.stamp, 1, ${key.id.length}) = ${key.id}
      and event.version < ${before}
    order by event.version desc limit ${most}`;
}

function isAuthenticRow(row: Row, streamId: string, key: MacKey): boolean {
  return isMacOf(key, row, { ...row, streamId, requestId: row.requestId ?? undefined });
}
