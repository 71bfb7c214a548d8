import type { Sql, Transaction } from '../database.ts';
import { type Actor, type AppendRow, earlierCommand, isCommandRecordedBefore } from './append.ts';
import type { EncodedEvent } from './stored-event.ts';

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
  readonly outcome: AppendRow['outcome'];
};

/**
 * Appends the events of one command after the version that was read, all or nothing, by itself or with the transaction it is given.
 * @throws when the database cannot be reached or refuses: repeating the same command is safe.
 */
export async function appendToStream(sql: Sql | Transaction, command: AppendToStream): Promise<AppendToStreamResult> {
  const { events } = command;
  try {
    const [row] = await sql<AppendRow[]>`
      select outcome, stream_id from ledger.append_to_stream(
        ${command.streamId},
        ${command.expectedVersion},
        ${command.commandId},
        ${Buffer.from(command.requestHash)},
        ${command.actor},
        ${command.requestId ?? null},
        ${command.occurredAt.toISOString()}::timestamptz,
        ${sql.typed.textArray(events.map(({ type }) => type))}::text[],
        ${sql.typed.textArray(events.map(({ schemaVersion }) => schemaVersion))}::smallint[],
        ${sql.typed.textArray(events.map(({ amountCents }) => amountCents))}::bigint[],
        ${sql.typed.textArray(events.map(({ payload }) => payload))}::text[]
      )`;
    if (row === undefined) throw new Error('The append function answered nothing');
    return { outcome: row.outcome };
  } catch (error) {
    if (!isCommandRecordedBefore(error)) throw error;
    const { outcome } = await earlierCommand(sql, command);
    return { outcome };
  }
}
