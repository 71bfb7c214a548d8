import type { Sql, Transaction } from '../../database/database.ts';
import {
  type Checkpoint,
  type CheckpointFault,
  checkCheckpoint,
  type Horizon,
  readCheckpoints,
  rootOf,
  type SealedRange,
} from './checkpoint.ts';
import type { HashText } from './hash-text.ts';
import { createMerkleTree, type MerkleTree } from './merkle.ts';
import type { NoteVerifier } from './signed-note.ts';

export type SealFault =
  | CheckpointFault
  /** A sealed range has changed: events were edited, removed, added or reordered. */
  | { readonly code: 'RangeDiffers'; readonly sequence: number; readonly sealed: number; readonly found: number };

export type VerifiedSeals = {
  readonly checkpoints: number;
  /** The number of events in the checkpoints. */
  readonly events: number;
  readonly faults: readonly SealFault[];
};

/** Follows the checkpoints while the caller reads the events, both in ledger order. */
export type SealCheck = {
  /**
   * Whether the event comes after the current checkpoint's range. Then `moveTo` must find the next
   * one.
   */
  readonly isPassed: (event: Place) => boolean;
  readonly moveTo: (event: Place) => Promise<void>;
  readonly add: (event: SealedEvent) => void;
  /** Called after the last event. */
  readonly end: (reader: Transaction) => Promise<VerifiedSeals>;
};

/** Numbers are compared for every event; they are exact up to 2^53 transactions. */
type Place = { readonly epoch: number; readonly xid: number };

export type SealedEvent = Place & { readonly hash: HashText };

/** A checkpoint with its bounds as numbers. */
type Sealed = { readonly checkpoint: Checkpoint; readonly from: Place; readonly to: Place };

/**
 * Reads checkpoints from the first one, and none that was made after the reading of events began.
 */
export async function checkSeals(sql: Sql, verifiers: readonly NoteVerifier[]): Promise<SealCheck> {
  const faults: SealFault[] = [];
  const overlapping: Checkpoint[] = [];
  const following = eachSealed(sql);
  let [checkpoints, events] = [0, 0];
  let [current, last]: [Sealed | undefined, Sealed | undefined] = [undefined, undefined];
  let tree = createMerkleTree();
  const begin = async (): Promise<void> => {
    current = (await following.next()).value;
    if (current === undefined) return;
    const { checkpoint, from } = current;
    faults.push(...checkCheckpoint(checkpoint, last?.checkpoint, verifiers));
    // Its range was read before, at least in part: a valid checkpoint begins at the end of the one
    // before it.
    if (last !== undefined && isBefore(from, last.to)) overlapping.push(checkpoint);
    checkpoints += 1;
    events += checkpoint.events;
  };
  const finish = async ({ checkpoint }: Sealed): Promise<void> => {
    if (overlapping.at(-1) !== checkpoint) faults.push(...rangeFaults(checkpoint, sealedBy(tree)));
    tree = createMerkleTree();
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
      if (current !== undefined && !isBefore(event, current.from)) tree.add(event.hash);
    },
    end: async (reader) => {
      while (current !== undefined) await finish(current);
      for (const checkpoint of overlapping) {
        faults.push(...rangeFaults(checkpoint, await rootOf(reader, checkpoint.from, checkpoint.to)));
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

function sealedBy(tree: MerkleTree): SealedRange {
  return { events: tree.size(), root: tree.root() };
}

function rangeFaults({ sequence, events: sealed, root }: Checkpoint, now: SealedRange): readonly SealFault[] {
  return now.events === sealed && now.root.equals(root)
    ? []
    : [{ code: 'RangeDiffers', sequence, sealed, found: now.events }];
}
