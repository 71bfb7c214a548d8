import { readFile } from 'node:fs/promises';
import type { Sql, Transaction } from './database.ts';
import { historyTable } from './migration-history.ts';

// A server needs the schema of its own migrations or a later one. The schema itself says which releases it still
// serves: function kilim.oldest_release, which each contracting migration replaces.

const packageFile = new URL('../../../../package.json', import.meta.url);

/** The release of this server: the version in package.json. Between two releases it is the last one. */
export async function readOwnRelease(): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  return version;
}

export type OwnSchema = {
  readonly release: string;
  readonly newestMigration: number;
};

/**
 * The role `kilim_server` may do this.
 *
 * @returns a sentence when the server cannot use the schema; undefined when it can.
 */
export async function explainMisfit(sql: Sql | Transaction, own: OwnSchema): Promise<string | undefined> {
  const { newest, oldest, isServed } = await readSchema(sql, own.release);
  if (newest < own.newestMigration) {
    return `The schema is older than this server: its newest migration is number ${newest}, and the server needs number \
${own.newestMigration}. Run npm run migrate.`;
  }
  if (isServed) return undefined;
  return `The schema serves release ${oldest} and newer releases, and this server is of release ${own.release}. \
Replace the server.`;
}

type Schema = { readonly newest: number; readonly oldest?: string; readonly isServed: boolean };

/** The function is absent in tests with other files. */
async function readSchema(sql: Sql | Transaction, release: string): Promise<Schema> {
  const [has] = await sql<{ history: boolean; oldest: boolean }[]>`
    select to_regclass(${historyTable}) is not null as history,
      to_regprocedure('kilim.oldest_release()') is not null as oldest`;
  if (has?.history !== true) return { newest: 0, isServed: true };
  const oldest = has.oldest ? sql`kilim.oldest_release()` : sql`null::text`;
  const [schema] = await sql<Schema[]>`
    select oldest, coalesce(string_to_array(oldest, '.')::int[] <= string_to_array(${release}, '.')::int[], true) as "isServed",
      (select coalesce(max(version), 0)::int from ${sql(historyTable)}) as newest
    from (select ${oldest} as oldest) declared`;
  return schema ?? { newest: 0, isServed: true };
}
