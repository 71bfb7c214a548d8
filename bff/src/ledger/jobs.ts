import type { Sql } from '../database/database.ts';

/** Work that is done now and then by whichever process comes first. */
export type JobName =
  | 'reconcile-recent'
  | 'reconcile-weeks'
  | 'forget-hints'
  | 'park-effects'
  | 'seal'
  | 'compare-books';

/**
 * @returns whether it is due: then it is this process's, and due again after the interval. By the database's clock; a job that is due
 * later than one interval from now was scheduled before that clock was set back, and is due.
 */
export async function takeDueJob(sql: Sql, name: JobName, everySeconds: number): Promise<boolean> {
  const taken = await sql`
    insert into ledger.job (name, due_at)
    values (${name}, clock_timestamp() + make_interval(secs => ${everySeconds}))
    on conflict (name) do update set due_at = excluded.due_at
    where job.due_at <= clock_timestamp() or job.due_at > excluded.due_at`;
  return taken.count === 1;
}

/** Makes it due again sooner: it could not be done. */
export async function postponeJob(sql: Sql, name: JobName, seconds: number): Promise<void> {
  await sql`
    update ledger.job set due_at = clock_timestamp() + make_interval(secs => ${seconds}) where name = ${name}`;
}
