import type { Sql } from '../database/database.ts';
import { newestMigration } from '../database/migrate.ts';
import { appliedMigrations } from '../database/migration-history.ts';

/**
 * Rebuilding or comparing projections needs all their columns.
 * @throws Error with a sentence when the schema is of another release.
 */
export async function requireOwnSchema(sql: Sql): Promise<void> {
  const own = await newestMigration();
  const found = (await appliedMigrations(sql)).at(-1)?.version ?? 0;
  if (found === own) return;
  throw new Error(
    found > own
      ? `The database has migration ${found}, and this release ends at number ${own}. Run the command of the newer release.`
      : `The database ends at migration ${found}, and this release needs number ${own}. Run npm run migrate first.`,
  );
}
