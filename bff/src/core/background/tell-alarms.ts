import type { AttentionKind } from '../../../contract/attention.ts';
import type { Sql } from '../database/database.ts';
import { whatWaits } from '../mail/letters/attention-summary.ts';
import { type AllAttention, type AttentionSource, readAllAttention } from '../queries/read-all-attention.ts';
import type { World } from '../use-case/world.ts';
import { type Job, minute } from './job.ts';

type AlarmWorld = Pick<World, 'sql' | 'log'> & {
  readonly attention: readonly AttentionSource[];
  /** A server that was off does first what is due. */
  readonly isCatchingUp: () => boolean;
};

const ownName = 'tell-alarms';

/** What a person at the server has to mend. The daily mail tells the rest, such as a dispute or a failed refund. */
const faults: ReadonlySet<AttentionKind> = new Set([
  'refund-unproven',
  'limits-unproven',
  'work-parked',
  'mail-undelivered',
  'books-differ',
  'clearing-alarm',
  'verification-faults',
  'seal-refused',
  'witness-late',
  'job-late',
  'list-incomplete',
]);

/** A fault that comes and goes within this time is told once. */
const quiet = '10 minutes';

/** Mails the operator when the product itself sees a fault, and when it is over. */
export function tellingAlarms({ sql, log, attention, isCatchingUp }: AlarmWorld): Job {
  return {
    name: ownName,
    limitSeconds: 15 * minute,
    meaning: 'Nobody gets an email when the server has a fault.',
    pollSeconds: 5,
    everySeconds: minute,
    despiteClock: true,
    run: async () => {
      if (isCatchingUp()) return undefined;
      await noteAlarms(sql, alarmsOf(await readAllAttention({ sql, log }, attention)));
      return 0;
    },
  };
}

type Alarm = { readonly name: string; readonly sentence: string };

function alarmsOf(found: AllAttention): readonly Alarm[] {
  const failures = new Map(found.lateJobs.map(({ name, failure }) => [name, failure] as const));
  return whatWaits(found)
    .filter(({ kind, id }) => faults.has(kind) && id !== ownName)
    .map(({ id, sentence }) => {
      const failure = failures.get(id);
      return { name: id, sentence: failure === undefined ? sentence : `${sentence} The server says: ${failure}.` };
    });
}

async function noteAlarms(sql: Sql, alarms: readonly Alarm[]): Promise<void> {
  await sql`select ledger.note_alarms(${JSON.stringify(alarms)}::text::json, ${quiet}::interval)`;
}
