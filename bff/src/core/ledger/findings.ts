import type { Horizon } from '@kilim/domain/accounting/books';
import type { z } from 'zod';
import { isTrue, type Sql } from '../database/database.ts';

/** The result of a comparison or a proof, kept until the next one so that people need not wait. */
export type FindingName = 'books' | 'reconciliation' | 'server-check' | 'verification';

export type Remembered<Report> = { readonly madeAt: Date; readonly report: Report };

/**
 * The server may not store a verification: see `rememberVerification`.
 * @param report with the horizon when the comparison began, before which it missed no event.
 */
export async function rememberComparison(
  sql: Sql,
  name: Exclude<FindingName, 'verification'>,
  report: Readonly<Record<string, unknown>> & { readonly horizon: Horizon },
): Promise<void> {
  await sql`select ledger.remember_comparison(${name}, ${JSON.stringify(report)}::text::jsonb)`;
}

/** Everything is compared once a day, which takes minutes. */
export const currentForHours = 25;

/** A comparison without one of Square's lists counts as none. */
export async function hasOldComparison(sql: Sql): Promise<boolean> {
  return await isTrue(sql`
    select exists (
      select from ledger.finding
      where name in ('books', 'reconciliation')
        and (made_at < clock_timestamp() - make_interval(hours => ${currentForHours}::int)
          or report -> 'unlisted' <> '[]'::jsonb)
    )`);
}

/** Undefined also when another version of this program wrote the result. */
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
