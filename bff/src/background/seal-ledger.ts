import { takeDueJob } from '../ledger/jobs.ts';
import { seal, waitToBeSealed } from '../ledger/proof/checkpoint.ts';
import type { NoteSigner } from '../ledger/proof/signed-note.ts';
import type { World } from '../server/world.ts';
import { type Repeated, repeat } from './repeat.ts';

const everySeconds = 5;
const sealAfterSeconds = 60;
/** So many events are sealed before the minute ends. */
const sealAfterEvents = 10_000;

type SealingWorld = Pick<World, 'sql' | 'log'>;

/**
 * Seals new events once a minute, and sooner when there are many. Any number of processes may do
 * it, and one of them succeeds. All processes need the same key, or the seals cannot be verified.
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
