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
  /** A sealed range holds other events than when it was sealed: some were changed, removed, added or put in another order. */
  | { readonly code: 'RangeDiffers'; readonly sequence: number; readonly sealed: number; readonly found: number };

export type VerifiedSeals = {
  readonly checkpoints: number;
  /** How many events the checkpoints speak of. */
  readonly events: number;
  readonly faults: readonly SealFault[];
};

/** Goes along the checkpoints while somebody reads the events that they seal, both in the order in which the ledger is read. */
export type SealCheck = {
  /** Whether the event comes after what the checkpoint seals that events are added to. Then `moveTo` has to find the next one. */
  readonly isPassed: (event: Place) => boolean;
  readonly moveTo: (event: Place) => Promise<void>;
  readonly add: (event: SealedEvent) => void;
  /** When all events were read. */
  readonly end: (reader: Transaction) => Promise<VerifiedSeals>;
};

/** Numbers, because this is compared for every event; they stay exact until 2^53 transactions. */
type Place = { readonly epoch: number; readonly xid: number };

export type SealedEvent = Place & { readonly hash: HashText };

/** A checkpoint with its bounds as they are compared, for every event. */
type Sealed = { readonly checkpoint: Checkpoint; readonly from: Place; readonly to: Place };

/** Begins with the first checkpoint, so that none is looked at that was made after the reading of events began. */
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
    // What it seals was read already, at least in part: an honest checkpoint begins where the one before it ends.
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
