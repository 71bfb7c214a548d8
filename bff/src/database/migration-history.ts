import type { Transaction } from './database.ts';

/** Its own schema, in which the application may read, and nothing else. */
export const historyTable = 'kilim.migration';

export type AppliedMigration = { readonly version: number; readonly name: string; readonly md5: string };

/** In the order of their numbers. */
export async function appliedMigrations(transaction: Transaction): Promise<readonly AppliedMigration[]> {
  const [history] = await transaction<
    { exists: boolean }[]
  >`select to_regclass(${historyTable}) is not null as "exists"`;
  if (history?.exists !== true) return [];
  return await transaction<AppliedMigration[]>`
    select version, name, md5 from ${transaction(historyTable)} where version > 0 order by version`;
}
