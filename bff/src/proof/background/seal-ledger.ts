import { type Fail, type Job, minute } from '../../core/background/job.ts';
import { isPerhapsDue, type Seen, settledNewest } from '../../core/background/look.ts';
import { takeDueJob } from '../../core/ledger/jobs.ts';
import type { World } from '../../core/use-case/world.ts';
import { explainRefusal, seal, waitToBeSealed } from '../checkpoint.ts';
import type { LedgerSigner } from '../signing-key.ts';

const sealAfterSeconds = 60;
const sealAfterEvents = 10_000;

type SealingWorld = Pick<World, 'sql' | 'log'> & {
  readonly refused?: { readonly set: (value: 0 | 1) => void };
};

/**
 * All processes need the same key, or the seals cannot be verified.
 * Each process compares the newest checkpoints with its memory once a minute, even if another one seals. While they
 * differ it seals nothing, and payments go on.
 */
export function sealing(world: SealingWorld, signer: LedgerSigner): Job {
  let comparedAt = Number.NEGATIVE_INFINITY;
  let refusal: string | undefined;
  let waiting: string | undefined;
  const run = async (fail: Fail, seen?: Seen) => {
    if (performance.now() - comparedAt >= sealAfterSeconds * 1000) {
      refusal = await explainRefusal(world.sql, signer);
      comparedAt = performance.now();
      world.refused?.set(refusal === undefined ? 0 : 1);
      if (refusal !== undefined) world.log.error({ reason: refusal }, 'the ledger is not sealed');
    }
    if (refusal === undefined) {
      if (seen?.newest === waiting && !isPerhapsDue(seen, 'seal', sealAfterSeconds)) return undefined;
      waiting = settledNewest(seen);
      return await sealWhenDue(world, signer);
    }
    fail('this server does not protect new records, and the page Books has the reason');
    return 0;
  };
  return {
    name: 'seal',
    limitSeconds: 15 * minute,
    meaning: 'New records are not protected, so nobody could prove later that they were not changed.',
    pollSeconds: 5,
    run,
  };
}

async function sealWhenDue({ sql, log }: SealingWorld, signer: LedgerSigner): Promise<number | undefined> {
  const isDue = (await takeDueJob(sql, 'seal', sealAfterSeconds)) || (await waitToBeSealed(sql, sealAfterEvents));
  if (!isDue) return undefined;
  const sealed = await seal(sql, signer);
  if (sealed === undefined) return 0;
  log.info({ sequence: sealed.sequence, events: sealed.events }, 'events were sealed');
  return 1;
}
