import type { Sql, Transaction } from '../database/database.ts';
import { type Actor, type AppendResult, isAppended, whyNot } from './append.ts';
import { type EncodedEvent, eventLines } from './codecs/order.ts';

/** Events of a stream that is not an order's: `settings`, `admin-<name>`, `orphan-<Square's payment id>`. */
export type AppendToStream = {
  readonly streamId: string;
  readonly expectedVersion: number;
  /** Chosen by whoever wants the thing done, before it is done: the same id again records nothing. */
  readonly commandId: string;
  readonly requestHash: Uint8Array;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  readonly occurredAt: Date;
  readonly events: readonly [EncodedEvent, ...EncodedEvent[]];
};

export type AppendToStreamResult = {
  /** `conflict`: somebody else appended first, so read again and decide again. */
  readonly outcome: AppendResult['outcome'];
};

/**
 * Appends the events of one command after the version that was read, all or nothing, by itself or with the transaction it is given.
 * @throws when the database cannot be reached or refuses: repeating the same command is safe.
 */
export async function appendToStream(sql: Sql | Transaction, command: AppendToStream): Promise<AppendToStreamResult> {
  return (await isAppended(callAppend(sql, command))) ? { outcome: 'appended' } : await whyNot(sql, command);
}

function callAppend(sql: Sql | Transaction, command: AppendToStream) {
  const { types, schemaVersions, amountsCents, payloads } = eventLines(command.events);
  return sql<{ appended: boolean }[]>`
    select ledger.append_to_stream(
      ${command.streamId},
      ${command.expectedVersion},
      ${command.commandId},
      ${Buffer.from(command.requestHash)},
      ${command.actor},
      ${command.requestId ?? null},
      ${command.occurredAt.toISOString()}::timestamptz,
      ${types},
      ${sql.typed.textArray(schemaVersions)}::smallint[],
      ${sql.typed.textArray(amountsCents)}::bigint[],
      ${payloads}
    ) as appended`;
}
