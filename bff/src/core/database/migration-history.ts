import type { Sql, Transaction } from './database.ts';

/** The schema holds nothing else, and the application may only read it. */
export const historyTable = 'kilim.migration';

export type AppliedMigration = { readonly version: number; readonly name: string; readonly md5: string };

export async function appliedMigrations(sql: Sql | Transaction): Promise<readonly AppliedMigration[]> {
  const [history] = await sql<{ exists: boolean }[]>`select to_regclass(${historyTable}) is not null as "exists"`;
  if (history?.exists !== true) return [];
  return await sql<AppliedMigration[]>`
    select version, name, md5 from ${sql(historyTable)} where version > 0 order by version`;
}
