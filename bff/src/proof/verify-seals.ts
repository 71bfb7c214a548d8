import type { Horizon } from '@kilim/domain/accounting/books';
import type { Sql, Transaction } from '../core/database/database.ts';
import { type Checkpoint, type CheckpointFault, checkCheckpoint, readCheckpoints, sumRange } from './checkpoint.ts';
import { readNote } from './checkpoint-note.ts';
import type { HashText } from './hash-text.ts';
import { createRangeSum, type SealedRange } from './range-sum.ts';
import type { NoteVerifier } from './signed-note.ts';

export type SealFault =
  | CheckpointFault
  /** Events were edited, removed, added or reordered. */
  | { readonly code: 'RangeDiffers'; readonly sequence: number; readonly sealed: number; readonly found: number }
  /** Positions, transactions or request hashes have changed. */
  | { readonly code: 'PlacesDiffer'; readonly sequence: number }
  /** Events have lost their MACs, or got some. */
  | { readonly code: 'MacsRemoved'; readonly sequence: number; readonly sealed: number; readonly found: number };

export type VerifiedSeals = {
  readonly checkpoints: number;
  readonly events: number;
  readonly faults: readonly SealFault[];
};

/** Follows the checkpoints and the events, both in ledger order. */
export type SealCheck = {
  /** When true, `moveTo` must find the next range. */
  readonly isPassed: (event: Place) => boolean;
  readonly moveTo: (event: Place) => Promise<void>;
  readonly add: (event: SealedEvent) => void;
  readonly end: (reader: Transaction) => Promise<VerifiedSeals>;
};

/** Numbers are compared for every event; they are exact up to 2^53 transactions. */
type Place = { readonly epoch: number; readonly xid: number };

export type SealedEvent = Place & { readonly hash: HashText; readonly place: string; readonly hasMac: boolean };

type Sealed = { readonly checkpoint: Checkpoint; readonly from: Place; readonly to: Place };

type SealKeys = { readonly verifiers: readonly NoteVerifier[]; readonly signedFrom?: number | undefined };

/** Reads checkpoints from the first one; none that was made after the reading of events began. */
export async function checkSeals(sql: Sql, { verifiers, signedFrom = 1 }: SealKeys): Promise<SealCheck> {
  const faults: SealFault[] = [];
  const overlapping: Checkpoint[] = [];
  const following = eachSealed(sql);
  let [checkpoints, events] = [0, 0];
  let [current, last]: [Sealed | undefined, Sealed | undefined] = [undefined, undefined];
  let sum = createRangeSum();
  const begin = async (): Promise<void> => {
    current = (await following.next()).value;
    if (current === undefined) return;
    const { checkpoint, from } = current;
    faults.push(...checkCheckpoint(checkpoint, last?.checkpoint, checkpoint.sequence < signedFrom ? [] : verifiers));
    // Its range was read, at least in part: a valid checkpoint begins at the end of the one before.
    if (last !== undefined && isBefore(from, last.to)) overlapping.push(checkpoint);
    checkpoints += 1;
    events += checkpoint.events;
  };
  const finish = async ({ checkpoint }: Sealed): Promise<void> => {
    if (overlapping.at(-1) !== checkpoint) faults.push(...rangeFaults(checkpoint, sum.end()));
    sum = createRangeSum();
    last = current;
    await begin();
  };
  await begin();
  return {
    isPassed: (event) => current !== undefined && !isBefore(event, current.to),
    moveTo: async (event) => {
      while (current !== undefined && !isBefore(event, current.to)) await finish(current);
    },
    add: (event) => {
      if (current !== undefined && !isBefore(event, current.from)) sum.add(event.hash, event.place, event.hasMac);
    },
    end: async (reader) => {
      while (current !== undefined) await finish(current);
      for (const checkpoint of overlapping) {
        faults.push(...rangeFaults(checkpoint, await sumRange(reader, checkpoint.from, checkpoint.to)));
      }
      return { checkpoints, events, faults };
    },
  };
}

async function* eachSealed(sql: Sql): AsyncGenerator<Sealed, undefined> {
  for await (const batch of readCheckpoints(sql)) {
    for (const checkpoint of batch) yield { checkpoint, from: placeOf(checkpoint.from), to: placeOf(checkpoint.to) };
  }
  return undefined;
}

function placeOf({ epoch, xid }: Horizon): Place {
  return { epoch, xid: Number(xid) };
}

function isBefore(one: Place, other: Place): boolean {
  return one.epoch === other.epoch ? one.xid < other.xid : one.epoch < other.epoch;
}

function rangeFaults({ sequence, events: sealed, root, note }: Checkpoint, now: SealedRange): readonly SealFault[] {
  if (now.events !== sealed || !now.root.equals(root)) {
    return [{ code: 'RangeDiffers', sequence, sealed, found: now.events }];
  }
  // A note that cannot be read is another fault.
  const { places, macs } = readNote(note)?.sealed ?? now;
  return [
    ...(now.places === places ? [] : [{ code: 'PlacesDiffer', sequence } as const]),
    ...(now.macs === macs ? [] : [{ code: 'MacsRemoved', sequence, sealed: macs, found: now.macs } as const]),
  ];
}
