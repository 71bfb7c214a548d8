import { isTrue, type Sql } from '../database/database.ts';

export type JobRules = {
  /** Lower case letters, digits and hyphens, at most 40. */
  readonly name: string;
  /** The shop is told after so long without success. */
  readonly limitSeconds: number;
  /** What it means for the shop, in words for its owner. */
  readonly meaning: string;
};

/**
 * Due by the database's clock. A job that is due later than that was scheduled before the clock was set back, and
 * counts as due.
 * @returns whether this process has to do the job now.
 */
export async function takeDueJob(sql: Sql, name: string, everySeconds: number): Promise<boolean> {
  return await isTrue(sql`select ledger.take_job(${name}, ${everySeconds})`);
}

/** Makes a failed job due again sooner. */
export async function postponeJob(sql: Sql, name: string, seconds: number): Promise<void> {
  await sql`select ledger.postpone_job(${name}, ${seconds})`;
}

export async function hasJob(sql: Sql, name: string): Promise<boolean> {
  const [row] = await sql`select from ledger.job where name = ${name}`;
  return row !== undefined;
}

/** All servers read the rules of all jobs in the database. */
export async function expectJobs(sql: Sql, rules: readonly JobRules[]): Promise<void> {
  await sql`select ledger.expect_jobs(${JSON.stringify(rules)}::text::json)`;
}

/** @param failure undefined: the job succeeded. At most 300 characters without personal data. */
export async function beat(sql: Sql, { name, limitSeconds, meaning }: JobRules, failure?: string): Promise<void> {
  const rule = JSON.stringify({ name, limitSeconds, meaning });
  await sql`select ledger.beat(${rule}::text::json, ${failure ?? null})`;
}

export type Heartbeat = JobRules & {
  readonly succeededAt: Date;
  readonly ageSeconds: number;
  readonly failure: string | undefined;
};

export async function readHeartbeats(sql: Sql): Promise<readonly Heartbeat[]> {
  const rows = await sql<(Omit<Heartbeat, 'failure'> & { readonly failure: string | null })[]>`
    select name, limit_seconds as "limitSeconds", meaning, succeeded_at as "succeededAt",
      extract(epoch from clock_timestamp() - succeeded_at)::float8 as "ageSeconds", failure
    from ledger.heartbeat order by name`;
  return rows.map(({ failure, ...row }) => ({ ...row, failure: failure ?? undefined }));
}

/** Jobs without success for their limit, those that wait longest first. */
export async function readLateJobs(sql: Sql): Promise<readonly Heartbeat[]> {
  const late = (await readHeartbeats(sql)).filter(({ limitSeconds, ageSeconds }) => ageSeconds > limitSeconds);
  return late.toSorted((one, other) => other.ageSeconds - one.ageSeconds);
}
