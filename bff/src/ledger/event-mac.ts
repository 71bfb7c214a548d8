import { hash, hkdfSync } from 'node:crypto';
import type { Sql, Transaction } from '../database/database.ts';
import { poolOf } from '../database/postgres-js/guard-transactions.ts';
import { keyIdOf, type NoteSigner, verifierOf } from './proof/signed-note.ts';

/** The key of the MACs of events. It follows from the signing key, so there is one secret to keep. */
export type MacKey = {
  /** The id of the signing key in notes, 4 bytes. It is public. */
  readonly id: Buffer;
  /** The key as HMAC uses it: padded to a block of SHA-256, once for each of the two hashes. */
  readonly inner: Buffer;
  readonly outer: Buffer;
};

export const macBytes = 32;
export const keyIdBytes = 4;

/** The fields of an event that its server knows before the database stores it. */
export type AuthenticatedEvent = {
  readonly streamId: string;
  readonly version: number;
  readonly commandId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly refundId: string | null;
  readonly amountCents: number | null;
  readonly actor: string;
  readonly requestId: string | undefined;
  readonly occurredAt: Date;
  /** JSON, as it is stored. */
  readonly payload: string;
};

/** HKDF-SHA-256 of the signing key: who knows one MAC key cannot sign notes. */
export function macKeyOf(signer: NoteSigner): MacKey {
  const material = signer.privateKey.export({ type: 'pkcs8', format: 'der' });
  const secret = new Uint8Array(hkdfSync('sha256', material, '', 'kilim event mac 1', macBytes));
  const padded = (byte: number) => Buffer.from(Array.from({ length: blockBytes }, (_, at) => byte ^ (secret[at] ?? 0)));
  return { id: Buffer.from(keyIdOf(verifierOf(signer)), 'hex'), inner: padded(0x36), outer: padded(0x5c) };
}

const blockBytes = 64;

/**
 * HMAC-SHA-256 (RFC 2104). Every append computes it: `createHmac` makes an object outside of the
 * heap for each MAC, whose collection costs ten times as much as the hashes.
 */
export function hmac({ inner, outer }: MacKey, message: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat([outer, hash('sha256', Buffer.concat([inner, ...message]), 'buffer')]), 'buffer');
}

const keys = new WeakMap<object, MacKey>();

/** From now on, events that are appended through this pool, or a transaction of it, carry a MAC. */
export function authenticateAppends(pool: Sql, key: MacKey): void {
  keys.set(pool, key);
}

/** The key of the pool, or of the pool of the transaction. */
export function findMacKey(sql: Sql | Transaction): MacKey | undefined {
  return keys.get(poolOf(sql));
}

export const macHeading = Buffer.from('kilim-mac-1\n');

/** The MACs of a command's events, as `ledger.command` has them. */
export function macsOf(key: MacKey, requestHash: Uint8Array, events: readonly AuthenticatedEvent[]): Buffer {
  const macs = events.map((event) => hmac(key, [macHeading, requestHash, Buffer.from(textOf(event))]));
  return Buffer.concat([key.id, ...macs]);
}

/**
 * The lines that `ledger.event_hash` covers, without those that the database adds: the id of the
 * event and the instant of its recording.
 */
function textOf(event: AuthenticatedEvent): string {
  return [
    event.streamId,
    event.version,
    event.commandId,
    event.type,
    event.schemaVersion,
    event.refundId ?? '',
    event.amountCents ?? '',
    event.amountCents === null ? '' : 'USD',
    event.actor,
    event.requestId ?? '',
    event.occurredAt.getTime() * 1000,
    event.payload,
  ].join('\n');
}
