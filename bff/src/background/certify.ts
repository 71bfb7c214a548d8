import { takeDueJob } from '../ledger/jobs.ts';
import type { ChecklistWorld } from '../queries/read-checklist.ts';
import type { Logger } from '../server/logger.ts';
import { certifyClosings } from '../use-case/certify-closings.ts';
import { type Repeated, repeat } from './repeat.ts';

const everySeconds = 2;
/** A closing makes the job due immediately. This is for closings of servers of the previous release. */
const certifyAfterSeconds = 60;

/** Certifies closings that have no certificate yet. Any number of processes may do it. */
export function startCertifying(world: ChecklistWorld & { readonly log: Logger }): Repeated {
  const round = async () => {
    if (!(await takeDueJob(world.sql, 'certify-closings', certifyAfterSeconds))) return 0;
    const certified = await certifyClosings(world);
    if (certified > 0) world.log.info({ certified }, 'closings were certified');
    return 0;
  };
  return repeat(world.log, { what: 'closings to certify', everySeconds, round });
}
