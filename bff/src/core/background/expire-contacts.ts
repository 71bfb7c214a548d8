import { erasedByRetention } from '@kilim/domain/order/erase-contact';
import { builtInContactRetention } from '@kilim/domain/settings/settings';
import type { Sql } from '../database/database.ts';
import { hasJob, takeDueJob } from '../ledger/jobs.ts';
import { readDueContacts } from '../queries/due-contacts.ts';
import { readLastSettings } from '../queries/saved-settings.ts';
import type { Logger } from '../runtime/logger.ts';
import { eraseContact } from '../use-case/erase-contact.ts';
import { day, type Job } from './job.ts';

type ExpiringWorld = { readonly sql: Sql; readonly log: Logger; readonly now: () => Date };

const expireEverySeconds = 7 * day;

/** Erases contacts whose period is over, once a week. */
export function expiringContacts(world: ExpiringWorld): Job {
  let isStopping = false;
  const run = async () => {
    const isDue = await takeDueExpiry(world.sql);
    if (isDue) await expireContacts(world, () => isStopping);
    return isDue ? 0 : undefined;
  };
  const stop = async (rounds: () => Promise<void>) => {
    isStopping = true;
    await rounds();
  };
  return {
    name: 'expire-contacts',
    limitSeconds: 8 * day,
    meaning: 'Names and addresses of customers are kept for longer than the settings say.',
    pollSeconds: 60,
    run,
    stop,
  };
}

/**
 * The first call after an upgrade only schedules it: owners have a week to choose another period, because erasure
 * cannot be undone.
 */
export async function takeDueExpiry(sql: Sql): Promise<boolean> {
  const isFirst = !(await hasJob(sql, 'expire-contacts'));
  return (await takeDueJob(sql, 'expire-contacts', expireEverySeconds)) && !isFirst;
}

/**
 * Erases the contacts that are due, page by page.
 * @returns how many contacts were erased.
 */
export async function expireContacts(world: ExpiringWorld, isStopping: () => boolean = () => false): Promise<number> {
  const saved = await readLastSettings(world.sql);
  const { months } = saved?.settings.contactRetention ?? builtInContactRetention;
  if (months === null) return 0;
  const since = retainedSince(world.now(), months);
  let erased = 0;
  let after: string | undefined;
  do {
    const { due, last } = await readDueContacts(world.sql, after, since);
    for (const orderId of due) {
      if (isStopping()) return erased;
      const done = await eraseContact(world, {
        orderId,
        erasedBy: erasedByRetention,
        unchangedSince: since,
        requestId: undefined,
      });
      if (done !== undefined) erased += 1;
    }
    after = last;
  } while (after !== undefined && !isStopping());
  if (erased > 0) world.log.info({ contacts: erased, months }, 'erased contacts whose period is over');
  return erased;
}

/** Contacts of orders whose last event is before it are due. */
export function retainedSince(now: Date, months: number): Date {
  const since = new Date(now);
  const day = since.getUTCDate();
  since.setUTCDate(1);
  since.setUTCMonth(since.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + 1, 0)).getUTCDate();
  since.setUTCDate(Math.min(day, lastDay));
  return since;
}
