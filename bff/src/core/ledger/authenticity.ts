import type { Sql, Transaction } from '../database/database.ts';
import { poolOf } from '../database/postgres-js/guard-transactions.ts';
import type { AnyEvent, EncodedEvent } from './codecs/codec.ts';
import type { Stream, StreamKind } from './read.ts';

/** What a server with the key can say about events. A room makes it; without one every event counts. */
export type Authenticity = {
  /** @returns hexadecimal bytes, which are stored with the command */
  readonly stamp: (command: StampedCommand) => string;
  /** The last event of a stream that a server with the key appended. */
  readonly readLast: <Event extends AnyEvent>(
    sql: Sql | Transaction,
    kind: StreamKind<Event>,
  ) => Promise<Event | undefined>;
  readonly ofStream: (sql: Sql, streamId: string) => Promise<IsAuthentic>;
  /** Whether a server with the key has appended to a stream whose id begins like this. */
  readonly hasStamped: (sql: Sql | Transaction, beginning: string) => Promise<boolean>;
  /** The key of the seals of tokens, 32 bytes: the same in each server. */
  readonly keyOfTokens: Uint8Array;
};

export type StampedCommand = {
  readonly streamId: string;
  readonly expectedVersion: number;
  readonly commandId: string;
  readonly requestHash: Uint8Array;
  readonly actor: string;
  readonly requestId: string | undefined;
  readonly occurredAt: Date;
  readonly events: readonly EncodedEvent[];
};

/** Whether a server with the key appended the event of this version to a stream. */
export type IsAuthentic = (version: number) => boolean;

const known = new WeakMap<object, Authenticity>();

/** From now on, appends through this pool are stamped. */
export function authenticate(pool: Sql, authenticity: Authenticity): void {
  known.set(pool, authenticity);
}

export function findAuthenticity(sql: Sql | Transaction): Authenticity | undefined {
  return known.get(poolOf(sql));
}

export async function readAuthenticity(sql: Sql, streamId: string): Promise<IsAuthentic> {
  return (await findAuthenticity(sql)?.ofStream(sql, streamId)) ?? (() => true);
}

/** Whether servers with the key appended all events that the caller has read. */
export async function areAllAuthentic(sql: Sql, streamId: string, { events }: Stream<unknown>): Promise<boolean> {
  const isAuthentic = await readAuthenticity(sql, streamId);
  return events.every(({ version }) => isAuthentic(version));
}
