import type { AttentionKind } from '../../../contract/attention.ts';
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

/** They wait for the daily mail. Everything else is a fault that a person at the server has to mend. */
const everyday: ReadonlySet<AttentionKind> = new Set([
  'payment-risky',
  'refund-failed',
  'dispute-open',
  'payment-unknown',
  'refund-unknown',
  'refund-overdue',
  'witness-missing',
]);

/** A fault that comes and goes within this time is told once. */
const quiet = '10 minutes';

/** Mails the operator when the product itself sees a fault, and when it is over. */
export function tellingAlarms({ sql, log, attention, isCatchingUp }: AlarmWorld): Job {
  return {
    name: ownName,
    limitSeconds: 15 * minute,
    meaning: 'The person who runs the server gets no email about faults.',
    pollSeconds: 5,
    everySeconds: minute,
    despiteClock: true,
    run: async () => {
      if (isCatchingUp()) return undefined;
      const alarms = JSON.stringify(alarmsOf(await readAllAttention({ sql, log }, attention)));
      await sql`select ledger.note_alarms(${alarms}::text::json, ${quiet}::interval)`;
      return 0;
    },
  };
}

function alarmsOf(found: AllAttention) {
  const failures = new Map(found.lateJobs.map(({ name, failure }) => [name, failure] as const));
  return whatWaits(found)
    .filter(({ kind, id }) => !everyday.has(kind) && id !== ownName)
    .map(({ id, sentence }) => {
      const failure = failures.get(id);
      return { name: id, sentence: failure === undefined ? sentence : `${sentence} The server says: ${failure}.` };
    });
}
