import { setTimeout } from 'node:timers/promises';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import type { Result } from '@kilim/domain/result';
import type { Sql, Transaction } from '../database/database.ts';
import { tooManyConflictsError } from '../database/failures.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { type Append, append, appendToStream, explainRejection, type NotAppended, type Recording } from './append.ts';
import type { AnyEvent } from './codecs/codec.ts';
import { sha256 } from './hash.ts';
import { type OrderStream, orderStreamId, readOrder, type StreamKind } from './read.ts';

export type Target<Seen, Event, After> = {
  readonly streamId: string;
  /** The first try decides on it, when the caller has read the stream before. */
  readonly known?: Seen | undefined;
  /** Of a stream that is probably new: the first try appends to it without reading. Only a read stream refuses. */
  readonly guess?: Seen | undefined;
  readonly read: () => Promise<Seen>;
  /** All or nothing, with everything that belongs to the events. */
  readonly append: (
    seen: Seen,
    recording: Recording<Event>,
  ) => Promise<{ readonly outcome: 'appended'; readonly stream: After } | NotAppended>;
};

export type Command<Seen, Event, Rejection> = Pick<Recording<Event>, 'commandId' | 'actor' | 'requestId'> & {
  /** Runs again after each version conflict. */
  readonly decide: (seen: Seen, at: Date) => Result<readonly Event[], Rejection>;
  readonly mostConflicts?: number;
  /** When the events happened; by default now. The database adds the time of recording. */
  readonly happenedAt?: ((now: Date) => Date) | undefined;
};

/** A command whose id a client chose, who may send another request under the same id. */
export type ClientCommand<Seen, Event, Rejection> = Command<Seen, Event, Rejection> &
  Pick<Recording<Event>, 'requestHash'>;

export type Handled<Seen, Event, After, Rejection> =
  | { readonly outcome: 'recorded'; readonly stream: After; readonly events: readonly Event[] }
  | Repeated<Seen>
  | { readonly outcome: 'refused'; readonly stream: Seen; readonly rejection: Rejection };

/** The events were recorded before. */
export type Repeated<Seen> = {
  readonly outcome: 'repeated';
  readonly stream: Seen;
  /** May be another stream than the target. */
  readonly streamId: string;
  /** An append of this call has no known answer, so the recorded command may be its own. */
  readonly mayBeOwn: boolean;
};

export type Reused<Seen> = { readonly outcome: 'reused'; readonly stream: Seen };

export type HandleWorld = { readonly sql: Sql; readonly now: () => Date };

/**
 * Starts again after a version conflict and while the database is away. No other loop appends.
 * @throws when the database stays away, or when every try met a version conflict: the same command may be handled
 *   again.
 */
export async function handle<Seen, Event, After, Rejection>(
  world: HandleWorld,
  target: Target<Seen, Event, After>,
  command: ClientCommand<Seen, Event, Rejection>,
): Promise<Handled<Seen, Event, After, Rejection> | Reused<Seen>>;
/** The command's id stands for all of it: a repetition decides on the newest events. */
export async function handle<Seen, Event, After, Rejection>(
  world: HandleWorld,
  target: Target<Seen, Event, After>,
  command: Command<Seen, Event, Rejection>,
): Promise<Handled<Seen, Event, After, Rejection>>;
export async function handle<Seen, Event, After, Rejection>(
  world: HandleWorld,
  target: Target<Seen, Event, After>,
  command: MaybeClientCommand<Seen, Event, Rejection>,
): Promise<Handled<Seen, Event, After, Rejection> | Reused<Seen>> {
  const progress: Progress = { isAppendSent: false };
  return await repeatWhileAway(async () => {
    const handled = await handleWhilePresent(world, target, { ...command, progress });
    if (handled.outcome === 'repeated' && handled.mayBeOwn) await confirmOnStandby(world.sql);
    return handled;
  });
}

/**
 * Waits until a synchronous standby has all commits that this server can see. A commit whose answer was lost may be
 * visible before. An empty message in the write-ahead log needs no table.
 * @throws when the standby stays away: the recorded command may still be lost in a failover.
 */
async function confirmOnStandby(sql: Sql): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'kilim', '')`;
}

/** For a transaction, of which no part can be repeated after a lost connection. */
export async function handleInTransaction<Seen, Event, After, Rejection>(
  world: { readonly sql: Transaction; readonly now: () => Date },
  target: Target<Seen, Event, After>,
  command: Command<Seen, Event, Rejection>,
): Promise<void> {
  await handleWhilePresent(world, target, { ...command, progress: { isAppendSent: false } });
}

type MaybeClientCommand<Seen, Event, Rejection> = Command<Seen, Event, Rejection> & {
  readonly requestHash?: Uint8Array;
};

type Progress = { isAppendSent: boolean };

const usualMostConflicts = 5;

async function handleWhilePresent<Seen, Event, After, Rejection>(
  { sql, now }: { readonly sql: Sql | Transaction; readonly now: () => Date },
  target: Target<Seen, Event, After>,
  command: MaybeClientCommand<Seen, Event, Rejection> & { readonly progress: Progress },
): Promise<Handled<Seen, Event, After, Rejection> | Reused<Seen>> {
  const { commandId, requestHash, actor, requestId, progress } = command;
  const { mostConflicts = usualMostConflicts } = command;
  const repeated = (stream: Seen, streamId: string) =>
    ({ outcome: 'repeated', stream, streamId, mayBeOwn: progress.isAppendSent }) as const;
  for (let conflicts = 0; ; conflicts += 1) {
    const guess = conflicts === 0 ? target.guess : undefined;
    const seen = guess ?? (conflicts === 0 ? target.known : undefined) ?? (await target.read());
    const at = now();
    const occurredAt = command.happenedAt?.(at) ?? at;
    const decision = command.decide(seen, at);
    if (!decision.ok) {
      if (guess !== undefined) continue;
      return { outcome: 'refused', stream: seen, rejection: decision.rejection };
    }

    const [first, ...rest] = decision.value;
    if (first === undefined) {
      if (requestHash === undefined) return repeated(seen, target.streamId);
      const earlier = await explainRejection(sql, { commandId, requestHash });
      if (earlier.outcome === 'conflict')
        throw new Error(`The ledger has no command ${commandId} for what it recorded`);
      return earlier.outcome === 'duplicate' ? repeated(seen, earlier.streamId) : { outcome: 'reused', stream: seen };
    }
    progress.isAppendSent = true;
    const result = await target.append(seen, {
      commandId,
      actor,
      requestId,
      occurredAt,
      requestHash: requestHash ?? sha256(commandId),
      events: [first, ...rest],
    });
    if (result.outcome === 'appended') {
      return { outcome: 'recorded', stream: result.stream, events: decision.value };
    }
    if (requestHash !== undefined && result.outcome === 'key_reused') return { outcome: 'reused', stream: seen };
    if (requestHash !== undefined && result.outcome === 'duplicate') {
      return repeated(result.streamId === target.streamId ? await target.read() : seen, result.streamId);
    }
    if (guess !== undefined) continue;
    if (conflicts === mostConflicts) throw tooManyConflictsError(target.streamId, conflicts);
    await setTimeout(Math.random() * Math.min(20 * 2 ** conflicts, 200));
  }
}

type BesideEvents = Pick<Append, 'openEffects' | 'closeEffects' | 'beside'>;

export function orderTarget(
  sql: Sql,
  orderId: OrderId,
  { known, ...others }: BesideEvents & { readonly known?: OrderStream } = {},
): Target<OrderStream, OrderEvent, OrderStream> {
  return {
    streamId: orderStreamId(orderId),
    known,
    read: () => readOrder(sql, orderId),
    append: (stream, recording) => append(sql, stream, { ...recording, ...others }),
  };
}

type Versioned = { readonly version: number };

/** A stream without projections. */
export function streamTarget<Seen extends Versioned, Event extends AnyEvent>(
  sql: Sql | Transaction,
  { streamId, codec }: StreamKind<Event>,
  read: () => Promise<Seen>,
): Target<Seen, Event, Versioned> {
  return {
    streamId,
    read,
    append: async ({ version }, { events, ...recording }) => {
      const [first, ...rest] = events;
      const encoded = [codec.encode(first), ...rest.map(codec.encode)] as const;
      const command = { ...recording, streamId, expectedVersion: version, events: encoded };
      const result = await appendToStream(sql, command);
      if (result.outcome !== 'appended') return result;
      return { outcome: 'appended', stream: { version: version + events.length } };
    },
  };
}
