import type { z } from 'zod';
import type { Sql } from '../database/database.ts';

/**
 * The result of a comparison or a proof. It is kept until the next one, so that people need not
 * wait for it.
 */
export type FindingName = 'books' | 'reconciliation' | 'verification';

export type Remembered<Report> = { readonly madeAt: Date; readonly report: Report };

/** The server's own comparisons. It may not store a verification: see `rememberVerification`. */
export async function rememberComparison(
  sql: Sql,
  name: Exclude<FindingName, 'verification'>,
  report: object,
): Promise<void> {
  await sql`select ledger.remember_comparison(${name}, ${JSON.stringify(report)}::text::jsonb)`;
}

/**
 * @returns undefined when there is no result, or only one that another version of this program
 * wrote. The next run makes a new one.
 */
export async function readFinding<Schema extends z.ZodType>(
  sql: Sql,
  name: FindingName,
  schema: Schema,
): Promise<Remembered<z.output<Schema>> | undefined> {
  const [row] = await sql<{ made_at: Date; report: string }[]>`
    select made_at, report::text as report from ledger.finding where name = ${name}`;
  const parsed = row && schema.safeParse(JSON.parse(row.report));
  return row !== undefined && parsed?.success === true ? { madeAt: row.made_at, report: parsed.data } : undefined;
}
