import { createHash } from 'node:crypto';

/** The fields of an event that its hash covers. Instants are microseconds since 1970. */
export type HashedEvent = {
  readonly previousHash: Uint8Array;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly commandId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly refundId: string | null;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  readonly occurredAtMicroseconds: string;
  readonly recordedAtMicroseconds: string;
  readonly payload: string;
};

/** Computes the same as `ledger.event_hash` in SQL: these lines are an event's canonical form. */
export function eventHash(event: HashedEvent): Buffer {
  const text = `kilim-event-1
${event.streamId}
${event.version}
${event.eventId}
${event.commandId}
${event.type}
${event.schemaVersion}
${event.refundId ?? ''}
${event.amountCents ?? ''}
${event.currency ?? ''}
${event.actor}
${event.requestId ?? ''}
${event.occurredAtMicroseconds}
${event.recordedAtMicroseconds}
${event.payload}`;
  return createHash('sha256').update(event.previousHash).update(text).digest();
}
