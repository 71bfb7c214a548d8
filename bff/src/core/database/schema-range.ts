import { readFile } from 'node:fs/promises';
import type { Sql, Transaction } from './database.ts';
import { appliedMigrations } from './migration-history.ts';

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
  const newest = (await appliedMigrations(sql)).at(-1)?.version ?? 0;
  if (newest < own.newestMigration) {
    return `The schema is older than this server: its newest migration is number ${newest}, and the server needs number \
${own.newestMigration}. Run npm run migrate.`;
  }
  const declared = await readOldest(sql, own.release);
  if (declared === undefined || declared.isServed) return undefined;
  return `The schema serves release ${declared.oldest} and newer releases, and this server is of release ${own.release}. \
Replace the server.`;
}

/** @returns undefined before the first migration, and in tests with other files. */
async function readOldest(sql: Sql | Transaction, release: string) {
  const [schema] = await sql<{ isDeclared: boolean }[]>`
    select to_regprocedure('kilim.oldest_release()') is not null as "isDeclared"`;
  if (schema?.isDeclared !== true) return undefined;
  const [declared] = await sql<{ oldest: string; isServed: boolean }[]>`
    select oldest, string_to_array(oldest, '.')::int[] <= string_to_array(${release}, '.')::int[] as "isServed"
    from kilim.oldest_release() as oldest`;
  return declared;
}
