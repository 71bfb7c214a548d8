import type { Sql } from '../database/database.ts';
import type { WitnessKind } from './witness/witness.ts';

/** Periodic work. One of all processes does it each time. */
export type JobName =
  | 'reconcile-recent'
  | 'reconcile-weeks'
  | 'forget-hints'
  | 'forget-security-log'
  | 'park-effects'
  | 'seal'
  | 'certify-closings'
  | 'carry-balances'
  | 'recount-balances'
  | 'compare-books'
  | 'expire-contacts'
  | 'witness-age'
  | `witness-${WitnessKind}`;

/**
 * Takes a job that is due by the database's clock. It is due again after the interval. A job that
 * is due later than one interval from now was scheduled before that clock was set back, and counts
 * as due.
 * @returns whether this process has to do the job now.
 */
export async function takeDueJob(sql: Sql, name: JobName, everySeconds: number): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`select ledger.take_job(${name}, ${everySeconds}) as taken`;
  return row?.taken === true;
}

/** Makes a failed job due again sooner. */
export async function postponeJob(sql: Sql, name: JobName, seconds: number): Promise<void> {
  await sql`select ledger.postpone_job(${name}, ${seconds})`;
}

/** Whether a process has taken the job before. */
export async function hasJob(sql: Sql, name: JobName): Promise<boolean> {
  const [row] = await sql`select from ledger.job where name = ${name}`;
  return row !== undefined;
}
