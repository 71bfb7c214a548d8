import type { Sql } from '../database.ts';
import {
  type Checkpoint,
  type CheckpointFault,
  checkCheckpoint,
  readCheckpoints,
  rootOf,
  rootsOf,
  type SealedRange,
} from './checkpoint.ts';
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

/** How many events small ranges that are read together may have. */
const eventsTogether = 20_000;

/** Every checkpoint, and what stands now in the range that it sealed. `onProgress` hears how many events were read. */
export async function verifySeals(
  sql: Sql,
  verifiers: readonly NoteVerifier[],
  onProgress: (events: number) => void,
): Promise<VerifiedSeals> {
  const faults: SealFault[] = [];
  let checkpoints = 0;
  let events = 0;
  let last: Checkpoint | undefined;
  let together: Checkpoint[] = [];
  const flush = async () => {
    for (const fault of await rangeFaults(sql, together)) faults.push(fault);
    onProgress(sumOfEvents(together));
    together = [];
  };
  for await (const batch of readCheckpoints(sql)) {
    for (const checkpoint of batch) {
      faults.push(...checkCheckpoint(checkpoint, last, verifiers));
      if (sumOfEvents(together) + checkpoint.events > eventsTogether || together.length === 200) await flush();
      together.push(checkpoint);
      checkpoints += 1;
      events += checkpoint.events;
      last = checkpoint;
    }
  }
  await flush();
  return { checkpoints, events, faults };
}

function sumOfEvents(checkpoints: readonly Checkpoint[]): number {
  return checkpoints.reduce((sum, { events }) => sum + events, 0);
}

async function rangeFaults(sql: Sql, checkpoints: readonly Checkpoint[]): Promise<readonly SealFault[]> {
  const [only] = checkpoints;
  if (only === undefined) return [];
  const found: ReadonlyMap<number, SealedRange> =
    checkpoints.length === 1
      ? new Map([[only.sequence, await rootOf(sql, only.from, only.to)]])
      : await rootsOf(sql, checkpoints);
  return checkpoints.flatMap(({ sequence, events: sealed, root }) => {
    const now = found.get(sequence);
    if (now === undefined || (now.events === sealed && now.root.equals(root))) return [];
    return [{ code: 'RangeDiffers', sequence, sealed, found: now.events }] as const;
  });
}
