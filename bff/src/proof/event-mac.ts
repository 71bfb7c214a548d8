import { hash, hkdfSync } from 'node:crypto';
import { keyIdOf, type NoteSigner, verifierOf } from './signed-note.ts';

/** The key of the MACs of events, derived from the signing key: there is one secret to keep. */
export type MacKey = {
  /** The id of the signing key in notes, 4 bytes. It is public. */
  readonly id: Buffer;
  /** ASCII. A block of SHA-256, which begins the hash. */
  readonly inner: string;
  readonly outer: string;
  /** The key of the seals of tokens, 32 bytes. */
  readonly ofTokens: Uint8Array;
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
  readonly payload: string;
};

/** HKDF-SHA-256 of the signing key: who knows one MAC key cannot sign notes. */
export function macKeyOf(signer: NoteSigner): MacKey {
  const material = signer.privateKey.export({ type: 'pkcs8', format: 'der' });
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', material, '', info, macBytes));
  const secret = derive('kilim event mac 1').toString('hex');
  const padded = (pad: number) => String.fromCharCode(...Array.from(secret, (digit) => digit.charCodeAt(0) ^ pad));
  return {
    id: Buffer.from(keyIdOf(verifierOf(signer)), 'hex'),
    inner: padded(0x36),
    outer: padded(0x5c),
    ofTokens: derive('kilim token seal 1'),
  };
}

/**
 * HMAC-SHA-256 (RFC 2104) with hexadecimal texts as key and as inner hash. Every append computes it: with texts, V8
 * makes no buffer outside of its heap.
 */
export function finishMac({ outer }: MacKey, innerHash: string): string {
  return hash('sha256', outer + innerHash);
}

export const macHeading = 'kilim-mac-1\n';

/** The stamp of a command, in hexadecimal: the id of the key (4 bytes), then the MAC of each event (32 bytes). */
export function macsOf(key: MacKey, requestHash: Uint8Array, events: readonly AuthenticatedEvent[]): string {
  const beginning = `${key.inner}${macHeading}${Buffer.from(requestHash).toString('hex')}\n`;
  const macs = events.map((event) => finishMac(key, hash('sha256', beginning + textOf(event))));
  return key.id.toString('hex') + macs.join('');
}

export type StoredCommand = {
  readonly requestHash: Uint8Array;
  readonly fromVersion: number;
  /** Null: a command without the key appended the event. */
  readonly macs: Uint8Array | null;
};

export function isMacOf(
  key: MacKey,
  { requestHash, fromVersion, macs }: StoredCommand,
  event: AuthenticatedEvent,
): boolean {
  if (macs === null) return false;
  const at = keyIdBytes + (event.version - fromVersion) * macBytes;
  const stored = Buffer.concat([macs.subarray(0, keyIdBytes), macs.subarray(at, at + macBytes)]);
  return stored.toString('hex') === macsOf(key, requestHash, [event]);
}

/** As `ledger.event_hash`, without the event's id and the instant of its recording. */
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
