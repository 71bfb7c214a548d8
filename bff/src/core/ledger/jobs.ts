import type { WitnessKind } from '../../proof/witness/witness.ts';
import type { Sql } from '../database/database.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

type JobRules = {
  /** The shop is told after so long without success. */
  readonly limitSeconds: number;
  /** What it means for the shop, in words for its owner. */
  readonly meaning: string;
};

export const jobs = {
  'settle-effects': {
    limitSeconds: 5 * minute,
    meaning: 'Payments and refunds that Square has not answered yet are not followed up.',
  },
  'process-hints': {
    limitSeconds: 5 * minute,
    meaning: "Square's messages are not read, so changes made at Square show up later.",
  },
  'park-effects': {
    limitSeconds: 15 * minute,
    meaning: 'Payments and refunds that Square has not answered for a day do not turn up here.',
  },
  'reconcile-recent': {
    limitSeconds: hour,
    meaning: 'The payments and refunds of the last hours are not compared with Square.',
  },
  'reconcile-weeks': {
    limitSeconds: day + 2 * hour,
    meaning: 'The payments, refunds and payouts of the last weeks are not compared with Square.',
  },
  'record-payouts': {
    limitSeconds: day + 2 * hour,
    meaning: 'Payouts are not recorded, so they cannot be compared with the bank account.',
  },
  'compare-books': { limitSeconds: day + 2 * hour, meaning: 'The books are not compared with the payouts.' },
  'certify-closings': { limitSeconds: 15 * minute, meaning: 'A closed period gets no certificate.' },
  seal: {
    limitSeconds: 15 * minute,
    meaning: 'New records are not sealed, so nobody could prove later that they were not changed.',
  },
  'send-notes': { limitSeconds: 15 * minute, meaning: 'No note of the records is sent to a witness.' },
  'tell-late-notes': { limitSeconds: 3 * hour, meaning: 'Nobody looks whether the witnesses get their notes.' },
  'send-mails': { limitSeconds: hour, meaning: 'Emails are not sent.' },
  'expire-contacts': {
    limitSeconds: 8 * day,
    meaning: 'Names and addresses of customers are kept for longer than the settings say.',
  },
  'count-days': { limitSeconds: 15 * minute, meaning: 'Lists and figures become slow, because days are not counted.' },
  'watch-cluster': {
    limitSeconds: 5 * minute,
    meaning: 'Nobody would notice if the database lost its newest records.',
  },
  'forget-hints': { limitSeconds: 3 * day, meaning: 'Old messages of Square are not deleted.' },
  'forget-security-log': { limitSeconds: 3 * day, meaning: 'Old entries of the security log are not deleted.' },
} as const satisfies Record<string, JobRules>;

export type JobName = keyof typeof jobs;

export function jobNames({ sendsMails }: { readonly sendsMails: boolean }): readonly JobName[] {
  return (Object.keys(jobs) as JobName[]).filter((name) => name !== 'send-mails' || sendsMails);
}

export type PeriodicName = JobName | `witness-${WitnessKind}`;

/**
 * Due by the database's clock. A job that is due later than that was scheduled before the clock was set back, and
 * counts as due.
 * @returns whether this process has to do the job now.
 */
export async function takeDueJob(sql: Sql, name: PeriodicName, everySeconds: number): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`select ledger.take_job(${name}, ${everySeconds}) as taken`;
  return row?.taken === true;
}

/** Makes a failed job due again sooner. */
export async function postponeJob(sql: Sql, name: PeriodicName, seconds: number): Promise<void> {
  await sql`select ledger.postpone_job(${name}, ${seconds})`;
}

export async function hasJob(sql: Sql, name: PeriodicName): Promise<boolean> {
  const [row] = await sql`select from ledger.job where name = ${name}`;
  return row !== undefined;
}

export async function expectJobs(sql: Sql, names: readonly JobName[]): Promise<void> {
  await sql`select ledger.expect_jobs(${[...names]})`;
}

/** @param failure undefined: the job succeeded. At most 300 characters without personal data. */
export async function beat(sql: Sql, name: JobName, failure: string | undefined): Promise<void> {
  await sql`select ledger.beat(${name}, ${failure ?? null})`;
}

export type Heartbeat = {
  readonly name: JobName;
  readonly succeededAt: Date;
  readonly ageSeconds: number;
  readonly failure: string | undefined;
};

export async function readHeartbeats(sql: Sql): Promise<readonly Heartbeat[]> {
  const rows = await sql<{ name: string; succeeded_at: Date; age: number; failure: string | null }[]>`
    select name, succeeded_at, extract(epoch from clock_timestamp() - succeeded_at)::float8 as age, failure
    from ledger.heartbeat order by name`;
  return rows.flatMap(({ name, succeeded_at: succeededAt, age, failure }) =>
    isJob(name) ? [{ name, succeededAt, ageSeconds: age, failure: failure ?? undefined }] : [],
  );
}

function isJob(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}

/** Jobs without success for their limit, those that wait longest first. */
export async function readLateJobs(sql: Sql): Promise<readonly Heartbeat[]> {
  const late = (await readHeartbeats(sql)).filter(({ name, ageSeconds }) => ageSeconds > jobs[name].limitSeconds);
  return late.toSorted((one, other) => other.ageSeconds - one.ageSeconds);
}
