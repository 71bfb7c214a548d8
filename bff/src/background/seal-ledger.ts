import { takeDueJob } from '../ledger/jobs.ts';
import { seal, waitToBeSealed } from '../ledger/proof/checkpoint.ts';
import type { NoteSigner } from '../ledger/proof/signed-note.ts';
import type { World } from '../server/world.ts';
import { type Repeated, repeat } from './repeat.ts';

const everySeconds = 5;
const sealAfterSeconds = 60;
/** More than this many do not wait for the minute to end. */
const sealAfterEvents = 10_000;

type SealingWorld = Pick<World, 'sql' | 'log'>;

/**
 * Seals what was appended once a minute, and sooner when much was. Any number of processes may do it: one of them succeeds. All have the
 * same key, or nobody can check what they sealed.
 */
export function startSealing(world: SealingWorld, signer: NoteSigner): Repeated {
  return repeat(world.log, { what: 'events to seal', everySeconds, round: () => sealWhenDue(world, signer) });
}

async function sealWhenDue({ sql, log }: SealingWorld, signer: NoteSigner): Promise<number> {
  const isDue = (await takeDueJob(sql, 'seal', sealAfterSeconds)) || (await waitToBeSealed(sql, sealAfterEvents));
  const sealed = isDue ? await seal(sql, signer) : undefined;
  if (sealed !== undefined) log.info({ sequence: sealed.sequence, events: sealed.events }, 'events were sealed');
  return 0;
}
