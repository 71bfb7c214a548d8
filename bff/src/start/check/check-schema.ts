import { readdir } from 'node:fs/promises';
import type { Sql } from '../../core/database/database.ts';
import { migrationsDirectory } from '../../core/database/migrate.ts';
import { appliedMigrations } from '../../core/database/migration-history.ts';
import { explainMisfit, readOwnRelease } from '../../core/database/schema-range.ts';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';

/** Compares this program's migrations with those of the database. */
export async function checkSchema(sql: Sql): Promise<readonly Diagnosis[]> {
  // Pending migrations are judged below: the next start applies them.
  const misfit = await explainMisfit(sql, { release: await readOwnRelease(), newestMigration: 0 });
  if (misfit !== undefined) return [{ level: 'error', problem: misfit, remedy: 'Until then /readyz answers 503.' }];
  const applied = await appliedMigrations(sql);
  const numbers = (await readdir(migrationsDirectory)).flatMap((file) => /^(\d{4})\.do\./.exec(file)?.[1] ?? []);
  return judgeSchema(numbers.map(Number), new Set(applied.map(({ version }) => version)));
}

export function judgeSchema(own: readonly number[], applied: ReadonlySet<number>): readonly Diagnosis[] {
  const pending = own.filter((number) => !applied.has(number));
  const newest = Math.max(0, ...applied);
  if (pending.length > 0) {
    return [
      {
        level: 'warning',
        problem: `the schema is older than this program: migrations ${pending.join(', ')} are not applied.`,
        remedy: 'Run npm run migrate, or start the server, which does the same.',
      },
    ];
  }
  if (newest <= Math.max(...own)) return [];
  return [
    {
      level: 'warning',
      problem: `the schema is newer than this program: it has migration ${newest}.`,
      remedy: 'Replace this program by the release that the other servers run.',
    },
  ];
}
