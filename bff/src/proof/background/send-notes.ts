import { hour, type Job, minute } from '../../core/background/job.ts';
import { postponeJob, takeDueJob } from '../../core/ledger/jobs.ts';
import { withinMs } from '../../core/runtime/deadline.ts';
import type { World } from '../../core/use-case/world.ts';
import type { Witness } from '../witness/witness.ts';
import { findDueNote, readWitnessAges, rememberWitnessed } from '../witness/witnessed.ts';

/** Shorter than the shutdown's stage for work. */
const usualStopMs = 3000;
const firstPauseSeconds = 60;

type SendingWorld = Pick<World, 'sql' | 'log'>;

/**
 * Sends the newest note to each witness: once a day, and soon after a closing is sealed. A failed note is sent later.
 */
export function sendingNotes(world: SendingWorld, witnesses: readonly Witness[], longestStopMs = usualStopMs): Job {
  return {
    name: 'send-notes',
    limitSeconds: 15 * minute,
    meaning: 'The daily proof of the records is not sent to anybody outside.',
    pollSeconds: 5,
    run: noteRounds(world, witnesses),
    // A slow witness must not delay the stop: it gets the note again after an hour.
    stop: (rounds) => withinMs(longestStopMs, rounds()).catch(() => undefined),
  };
}

export function tellingOfLateNotes(world: SendingWorld, witnesses: readonly Witness[]): Job {
  const run = async () => {
    await tellOfLateNotes(world, witnesses);
    return 0;
  };
  return {
    name: 'tell-late-notes',
    limitSeconds: 3 * hour,
    meaning: 'No job checks whether the daily proof of the records is sent.',
    pollSeconds: 60,
    everySeconds: hour,
    run,
  };
}

export function noteRounds(world: SendingWorld, witnesses: readonly Witness[]): () => Promise<number> {
  const failures = new Map<Witness, number>();
  return async () => {
    await Promise.all(
      witnesses.map(async (witness) => {
        const sent = await sendWhenDue(world, witness, failures.get(witness) ?? 0);
        if (sent === true) failures.delete(witness);
        if (sent === false) failures.set(witness, (failures.get(witness) ?? 0) + 1);
      }),
    );
    return 0;
  };
}

/** @returns undefined when none is due. */
async function sendWhenDue(world: SendingWorld, witness: Witness, failed: number): Promise<boolean | undefined> {
  const { sql } = world;
  if ((await findDueNote(sql, witness)) === undefined) return undefined;
  const job = `witness-${witness.kind}` as const;
  // If this process ends before it sent the note, another one sends it after an hour.
  if (!(await takeDueJob(sql, job, hour))) return undefined;
  const sent = await sendDueNote(world, witness);
  await postponeJob(sql, job, sent ? 0 : Math.min(firstPauseSeconds * 2 ** failed, hour));
  return sent;
}

async function sendDueNote({ sql, log }: SendingWorld, witness: Witness): Promise<boolean> {
  const { kind, to } = witness;
  // Another process may have sent it.
  const due = await findDueNote(sql, witness);
  if (due === undefined) return true;
  const { sequence } = due;
  try {
    const receipt = await witness.send(due);
    await rememberWitnessed(sql, witness, { sequence, receipt });
    log.info({ kind, to, sequence }, 'a note was sent to a witness');
    return true;
  } catch (error) {
    log.warn({ kind, to, sequence, detail: reasonOf(error) }, 'a note could not be sent to a witness');
    return false;
  }
}

/** Errors of libraries may hold secrets of the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

async function tellOfLateNotes({ sql, log }: SendingWorld, witnesses: readonly Witness[]): Promise<void> {
  for (const { kind, to, last, ageSeconds, isLate } of await readWitnessAges(sql, witnesses)) {
    const found = { kind, to, sequence: last?.sequence, hours: Math.floor(ageSeconds / hour) };
    if (isLate) log.error(found, 'a witness got no note for more than 26 hours');
  }
}
