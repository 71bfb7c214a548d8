import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import { adoptEarlier, isOfEarlierVersion, NotAdopted, newestOfTheFour } from './adopt-earlier.ts';
import { adoptCluster } from './cluster.ts';
import { allowLongStatements, connect, type Sql, type Transaction } from './database.ts';
import { isForeignCluster } from './failures.ts';
import { type AppliedMigration, appliedMigrations, historyTable } from './migration-history.ts';

export const migrationsDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The file that `npm run schema` writes. */
const dumpedSchema = 'schema.sql';
/** Two numbers of our own, so that no other advisory lock of this database can be taken for ours. */
export const migrationLock = [0x6b696c69, 1] as const;

export type MigrationOptions = {
  readonly url: string;
  readonly directory?: string;
  /** Gets a line when a database of an earlier version is taken over. Default: standard error, because commands write results to standard output. */
  readonly say?: (line: string) => void;
};

/**
 * Migrates a database to the newest version.
 *
 * All pending migrations run in one transaction under one lock. When several processes start together,
 * one migrates, and the others wait and find nothing to do. A crash leaves no partial migration. The
 * price: no `create index concurrently`.
 *
 * A database that is newer than the files is left alone, so an old server may restart during a rollout. A ledger that was
 * restored from a dump is adopted: see `adoptCluster`.
 *
 * @returns the names of the applied files.
 * @throws Error with a sentence for the operator: a file was changed, removed or numbered too late, or
 *   its SQL failed.
 */
export async function migrate(options: MigrationOptions): Promise<readonly string[]> {
  const { url, directory = migrationsDirectory, say = sayOnStandardError } = options;
  await refuseMisnamedFiles(directory);
  const sql = connect({ url, max: 1, applicationName: 'kilim migrate' });
  const told: string[] = [];
  try {
    const applied = await applyPending(sql, directory, told);
    told.push(...(await adoptIfRestored(sql)));
    for (const line of told) say(line);
    return applied;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function sayOnStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** @param told collects the lines that are said after the commit. */
async function applyPending(sql: Sql, directory: string, told: string[]): Promise<readonly string[]> {
  return await sql.begin(async (transaction) => {
    // Waiting for another process's migrations is fine. Waiting long for a table is not: other
    // statements queue up behind this lock request.
    await allowLongStatements(transaction, 0);
    await transaction.unsafe('set local lock_timeout = 0');
    await transaction`select pg_advisory_xact_lock(${migrationLock[0]}::int, ${migrationLock[1]}::int)`;
    await transaction.unsafe("set local lock_timeout = '10s'");
    const earlier = await appliedMigrations(transaction);
    if (isOfEarlierVersion(earlier)) {
      const makeAnew = (inner: Transaction) => migrationRunner(inner, directory).migrate(String(newestOfTheFour));
      const line = await adoptEarlier(transaction, earlier, makeAnew).catch((error: unknown) => {
        if (error instanceof NotAdopted) throw error;
        return explain('Taking over the database failed', error);
      });
      told.push(line);
    }
    const runner = migrationRunner(transaction, directory);
    const files = await runner.getMigrations();
    const applied = await appliedMigrations(transaction);
    refuseUnexpectedFiles(files, applied);
    const versions = new Set(applied.map((migration) => migration.version));
    // Returns before any statement that needs the owner's rights, so a server may log in without them.
    if (files.every((file) => versions.has(file.version))) return [];
    let running = 'Migrating failed';
    runner.on('migration-started', (migration) => {
      running = `Migration ${basename(migration.filename)} failed`;
    });
    const newlyApplied = await runner.migrate().catch((error: unknown) => explain(running, error));
    return newlyApplied.map((migration) => basename(migration.filename));
  });
}

/**
 * In a second transaction, because it needs other locks. Until it commits, servers refuse to append.
 * Does nothing while the schema is older than the table of clusters, as in tests with other files.
 * @returns lines for the operator.
 */
async function adoptIfRestored(sql: Sql): Promise<readonly string[]> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, 0);
    await transaction.unsafe("set local lock_timeout = '10s'");
    const [found] = await transaction<{ exists: boolean }[]>`
      select to_regprocedure('ledger.adopt_cluster()') is not null as "exists"`;
    if (found?.exists !== true) return [];
    const line = await adoptCluster(transaction).catch((error: unknown) => {
      if (isForeignCluster(error)) throw error;
      return explain('The ledger was restored from a dump, and adopting it here failed', error);
    });
    return line === undefined ? [] : [line];
  });
}

/** Makes a sentence for the operator of an error of the database. */
function explain(what: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const advice =
    code === '42501' ? '. Set MIGRATION_DATABASE_URL to the login of the owner, or migrate with it first' : '';
  throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}${advice}`, { cause: error });
}

function migrationRunner(transaction: Transaction, directory: string) {
  return new Postgrator({
    driver: 'pg',
    // Escapes the directory, because the option is a glob pattern.
    migrationPattern: join(directory.replace(/[?*()[\]{}]/g, '[$&]'), '*.do.*.sql'),
    schemaTable: historyTable,
    // A checkout with other line endings has the same checksum.
    newline: 'LF',
    execQuery: async (query) => ({ rows: await transaction.unsafe(query) }),
  });
}

/** Postgrator ignores files with other names; without this check a misnamed migration would never run. */
async function refuseMisnamedFiles(directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql') && file !== dumpedSchema);
  const misnamed = files.find((file) => !/^\d{4}\.do\.[a-z0-9-]+\.sql$/.test(file));
  if (misnamed !== undefined) throw new Error(`Migration ${misnamed} is not named like 0001.do.ledger.sql.`);
  if (files.length === 0) throw new Error(`There are no migrations in ${directory}.`);
}

/** Postgrator also compares checksums, but silently skips a new file with a number below the newest applied one. */
function refuseUnexpectedFiles(files: readonly Postgrator.Migration[], applied: readonly AppliedMigration[]): void {
  const checksums = new Map(applied.map((migration) => [migration.version, migration.md5]));
  const newest = applied.at(-1)?.version ?? 0;
  for (const file of files) {
    const name = basename(file.filename);
    const checksum = checksums.get(file.version);
    if (checksum === undefined && file.version < newest) {
      throw new Error(
        `Migration ${name} comes too late: number ${newest} is already applied. Give it a higher number.`,
      );
    }
    if (checksum !== undefined && checksum !== file.md5) {
      throw new Error(
        `Migration ${name} was changed after it had been applied. Restore the file and put the change into a new migration.`,
      );
    }
  }
  const numbers = new Set(files.map((file) => file.version));
  const highest = Math.max(0, ...numbers);
  const lost = applied.find((migration) => migration.version < highest && !numbers.has(migration.version));
  if (lost !== undefined) {
    throw new Error(
      `Migration number ${lost.version} (${lost.name}) was applied, but its file is gone. Restore the file.`,
    );
  }
}

async function main(): Promise<void> {
  const url = process.env['MIGRATION_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (!url) throw new Error('Set MIGRATION_DATABASE_URL or DATABASE_URL: the database to migrate.');
  const applied = await migrate({ url });
  process.stdout.write(applied.length === 0 ? 'Nothing to migrate.\n' : `Applied ${applied.join(', ')}.\n`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
