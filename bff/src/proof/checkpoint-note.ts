import { hash } from 'node:crypto';
import type { Horizon } from '@kilim/domain/accounting/books';
import { textOf } from './signed-note.ts';

export type NoteContent = {
  /** A checkpoint of this number covers all earlier ones. */
  readonly sequence: number;
  /** 32 bytes: of the Merkle tree over the hashes of the range's events. */
  readonly root: Buffer;
  readonly from: Horizon;
  readonly to: Horizon;
  readonly events: number;
  /** The SHA-256 of the text of the note before, in base64; undefined for the first note. */
  readonly previous: string | undefined;
  readonly sealed: SealedWhen;
};

export type SealedWhen = {
  /**
   * The SHA-256 in base64 over epoch, transaction, position and request hash of each event, which the events' hashes do
   * not cover.
   */
  readonly places: string;
  /** ISO 8601 instant of the sealing, by the server's clock. */
  readonly at: string;
  readonly shop: string;
  readonly macs: number;
};

const origin = 'kilim/ledger';

/**
 * Origin, number of checkpoints and root, as in C2SP tlog-checkpoint. Its extensions are the range and the hash of the
 * previous note's text. So no checkpoint can be removed or replaced, and a kept note proves all earlier ones.
 */
export function noteText({ sequence, root, from, to, events, previous, sealed }: NoteContent): string {
  return [
    origin,
    String(sequence),
    root.toString('base64'),
    `range ${from.epoch}:${from.xid} ${to.epoch}:${to.xid}`,
    `events ${events}`,
    `previous ${previous ?? '-'}`,
    `places ${sealed.places}`,
    `time ${sealed.at}`,
    `shop ${oneLine(sealed.shop)}`,
    `macs ${sealed.macs}`,
    '',
  ].join('\n');
}

const notePattern = new RegExp(
  [
    `^${origin}`,
    String.raw`(?<sequence>[1-9]\d{0,8})`,
    '(?<root>[A-Za-z0-9+/]{43}=)',
    String.raw`range (?<fromEpoch>\d{1,5}):(?<fromXid>\d{1,20}) (?<toEpoch>\d{1,5}):(?<toXid>\d{1,20})`,
    String.raw`events (?<events>\d{1,15})`,
    '(?:previous (?<previous>-|[A-Za-z0-9+/]{43}=))',
    '(?:places (?<places>[A-Za-z0-9+/]{43}=))',
    String.raw`time (?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)`,
    'shop (?<shop>.+)',
    String.raw`macs (?<macs>\d{1,15})\n$`,
  ].join(String.raw`\n`),
);

/**
 * Its signature is not checked here.
 * @returns undefined when the text is not a note of a ledger.
 */
export function readNote(note: string): NoteContent | undefined {
  const found = notePattern.exec(textOf(note))?.groups;
  if (found === undefined) return undefined;
  const { root = '', fromXid = '', toXid = '', previous, places = '', at = '', shop = '', macs } = found;
  return {
    sequence: Number(found['sequence']),
    root: Buffer.from(root, 'base64'),
    from: { epoch: Number(found['fromEpoch']), xid: fromXid },
    to: { epoch: Number(found['toEpoch']), xid: toXid },
    events: Number(found['events']),
    previous: previous === '-' ? undefined : previous,
    sealed: { places, at, shop, macs: Number(macs) },
  };
}

/** The value of `previous` in the note that follows this one. */
export function hashOfNote(note: string): string {
  return hash('sha256', textOf(note), 'base64');
}

/** A name can contain no line of its own. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim() || '-';
}
