import type { Sql } from '../database/database.ts';

/** Periodic work. One of all processes does it each time. */
export type JobName =
  | 'reconcile-recent'
  | 'reconcile-weeks'
  | 'forget-hints'
  | 'park-effects'
  | 'seal'
  | 'compare-books';

/**
 * Takes a job that is due by the database's clock. It is due again after the interval. A job that
 * is due later than one interval from now was scheduled before that clock was set back, and counts
 * as due.
 * @returns whether this process has to do the job now.
 */
export async function takeDueJob(sql: Sql, name: JobName, everySeconds: number): Promise<boolean> {
  const taken = await sql`
    insert into ledger.job (name, due_at)
    values (${name}, clock_timestamp() + make_interval(secs => ${everySeconds}))
    on conflict (name) do update set due_at = excluded.due_at
    where job.due_at <= clock_timestamp() or job.due_at > excluded.due_at`;
  return taken.count === 1;
}

/** Makes a failed job due again sooner. */
export async function postponeJob(sql: Sql, name: JobName, seconds: number): Promise<void> {
  await sql`
    update ledger.job set due_at = clock_timestamp() + make_interval(secs => ${seconds}) where name = ${name}`;
}
