import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Postgrator from 'postgrator';
import { withSecretFiles } from '../runtime/secret-files.ts';
import { adoptCluster } from './cluster.ts';
import { allowLongStatements, connect, type Sql, type Transaction } from './database.ts';
import type { DatabasePlace } from './explain-database-error.ts';
import { isForeignCluster } from './failures.ts';
import { findPooler } from './find-pooler.ts';
import { type AppliedMigration, appliedMigrations, historyTable } from './migration-history.ts';
import { prepareLogin, prepareVerifier } from './prepare-login.ts';
import { requireDatabase } from './require-database.ts';
import { explainMisfit, readOwnRelease } from './schema-range.ts';

export const migrationsDirectory = fileURLToPath(new URL('../../../../migrations', import.meta.url));

const dumpedSchema = 'schema.sql';
export const migrationLock = [0x6b696c69, 1] as const;

export type MigrationOptions = {
  readonly url: string;
  readonly variable?: DatabasePlace['variable'];
  readonly directory?: string;
  /** Default: standard error, because results go to standard output. */
  readonly say?: (line: string) => void;
  /** The wait for tables that are in use. Default: two minutes. */
  readonly patienceSeconds?: number;
};

/**
 * All other statements on a table wait behind a migration that waits for it, so it gives way and tries again. The wait
 * is below PostgreSQL's deadlock_timeout of a second: in a deadlock the migration fails and not a payment.
 */
const lockWaitMs = 500;
const pauseMs = 1000;

/**
 * All pending migrations run in one transaction, so a crash leaves no partial one. The price: no `create index
 * concurrently`, and all locks are held until the end.
 * A newer database is left alone, so that an old server may restart during a rollout. A ledger that was restored from a
 * dump is adopted: see `adoptCluster`.
 * @returns the names of the applied files.
 * @throws Error with a sentence for the operator.
 */
export async function migrate(options: MigrationOptions): Promise<readonly string[]> {
  const { url, variable = 'DATABASE_URL', directory = migrationsDirectory } = options;
  const { say = sayOnStandardError, patienceSeconds = 120 } = options;
  await refuseMisnamedFiles(directory);
  const sql = connect({ url, max: 1, applicationName: 'kilim migrate' });
  const deadline = performance.now() + patienceSeconds * 1000;
  try {
    await requireDatabase(sql, { variable, url });
    const applied = await patiently(sql, deadline, () => applyPending(sql, directory));
    const adopted = await patiently(sql, deadline, () => adoptIfRestored(sql));
    for (const line of adopted) say(line);
    return applied;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function patiently<Answer>(sql: Sql, deadline: number, work: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!gaveWay(error)) throw error;
      if (performance.now() > deadline)
        throw new Error(`${error.message}. ${await tablesInUse(sql)}`, { cause: error });
      await setTimeout(pauseMs);
    }
  }
}

async function tablesInUse(sql: Sql): Promise<string> {
  const sessions = await sql<{ pid: number; name: string; tables: string }[]>`
    select pid, coalesce(nullif(application_name, ''), backend_type, 'unknown') as name,
      string_agg(distinct relation::regclass::text, ', ') as tables
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'relation' and granted and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and relation in (select oid from pg_class where relkind = 'r' and relnamespace <> 'pg_catalog'::regnamespace)
    group by pid, application_name, backend_type`;
  if (sessions.length === 0) return 'At the moment no session uses a table';
  return `In use: ${sessions.map(({ pid, name, tables }) => `${tables} by process ${pid} (${name})`).join('; ')}`;
}

function gaveWay(error: unknown): error is Error {
  return ['55P03', '40P01'].includes(codeOf(error instanceof Error ? error.cause : undefined));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function sayOnStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Through a pooler, a session has the settings of the owner's login. */
const ownSettings = "set local search_path = public; set local timezone = 'UTC'";

async function applyPending(sql: Sql, directory: string): Promise<readonly string[]> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, 0);
    await transaction.unsafe(`${ownSettings}; set local lock_timeout = 0`);
    await transaction`select pg_advisory_xact_lock(${migrationLock[0]}::int, ${migrationLock[1]}::int)`;
    await transaction.unsafe(`set local lock_timeout = ${lockWaitMs}`);
    const runner = migrationRunner(transaction, directory);
    const files = await runner.getMigrations();
    const applied = await appliedMigrations(transaction);
    refuseUnexpectedFiles(files, applied);
    await refuseNewerSchema(transaction);
    const versions = new Set(applied.map((migration) => migration.version));
    // Before any statement that needs the owner's rights: a server may log in without them.
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
 * A second transaction, because it needs other locks. Until it commits, servers refuse to append. Does nothing before
 * the table of clusters exists.
 */
async function adoptIfRestored(sql: Sql): Promise<readonly string[]> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, 0);
    await transaction.unsafe(`${ownSettings}; set local lock_timeout = ${lockWaitMs}`);
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

function explain(what: string, error: unknown): never {
  const advice = adviceFor[codeOf(error)] ?? '';
  throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}${advice}`, { cause: error });
}

const adviceFor: Readonly<Record<string, string>> = {
  '42501': '. Set MIGRATION_DATABASE_URL to the login of the owner, or migrate with it first',
  '55P03': `. Nothing was changed. A long transaction keeps a table in use, for example of an export or of npm run ledger: \
wait for its end, or end it with pg_terminate_backend, and migrate again`,
};

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

/** Postgrator ignores files with other names, so a misnamed migration would never run. */
async function refuseMisnamedFiles(directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql') && file !== dumpedSchema);
  const misnamed = files.find((file) => !/^\d{4}\.do\.[a-z0-9-]+\.sql$/.test(file));
  if (misnamed !== undefined) throw new Error(`Migration ${misnamed} is not named like 0001.do.ledger.sql.`);
  if (files.length === 0) throw new Error(`There are no migrations in ${directory}.`);
}

/** Postgrator compares checksums, but silently skips a new file below the newest applied one. */
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

async function refuseNewerSchema(transaction: Transaction): Promise<void> {
  const misfit = await explainMisfit(transaction, { release: await readOwnRelease(), newestMigration: 0 });
  if (misfit !== undefined) throw new Error(misfit);
}

export async function newestMigration(): Promise<number> {
  const numbers = (await readdir(migrationsDirectory)).map((file) => Number(/^(\d{4})\.do\./.exec(file)?.[1] ?? 0));
  return Math.max(...numbers);
}

/** With `--login` and `--verifier` it also prepares logins: see `prepareLogin` and `prepareVerifier`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { login: { type: 'string' }, verifier: { type: 'string' } } });
  const { login, verifier } = values;
  const variables = withSecretFiles(process.env);
  const variable = variables['MIGRATION_DATABASE_URL'] ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  const url = variables[variable];
  if (!url) throw new Error('Set MIGRATION_DATABASE_URL or DATABASE_URL: the database to migrate.');
  const place = await findPooler({ url, variable });
  const applied = await migrate(place);
  process.stdout.write(applied.length === 0 ? 'Nothing to migrate.\n' : `Applied ${applied.join(', ')}.\n`);
  const told = [
    ...(login === undefined ? [] : await prepareLogin(place.url, login)),
    ...(verifier === undefined ? [] : await prepareVerifier(place.url, verifier)),
  ];
  for (const line of told) process.stdout.write(`${line}\n`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
