import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterState, explainCluster } from '../../core/database/cluster.ts';
import { connect, type Sql } from '../../core/database/database.ts';
import { poolerOf } from '../../core/database/database-address.ts';
import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import { findPoolerIfReachable } from '../../core/database/find-pooler.ts';
import { checkDatabase } from '../../core/database/require-database.ts';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';
import type { Closing } from '../../core/runtime/shutdown.ts';
import { checkSigningKey } from '../../proof/check-signing-key.ts';
import { readLastCheckpoint } from '../../proof/checkpoint.ts';
import { findSigningKey, signingKeyPlace } from '../../proof/signing-key.ts';
import { judgeClock, sampleClock } from '../check/check-clock.ts';
import { judgeConnections, readConnectionLimits } from '../check/check-connections.ts';
import { checkSchema } from '../check/check-schema.ts';
import { checkSession } from '../check/check-session.ts';
import { checkPrivileges, checkSameDatabase, type DatabaseFacts, readFacts } from '../check/database-facts.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import type { Environment } from '../env.ts';
import { findDatabase } from '../start-peers.ts';
import type { Tell } from './checked.ts';

type Use = { readonly closing: Closing; readonly tell: Tell };

export async function checkDatabases(environment: Environment, tell: Tell): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  const use: Use = { tell, closing: (close) => closers.unshift(close) };
  try {
    const place = await openPlace(environment, use);
    if (place === undefined) return;
    const main = await checkServing(environment, place, use);
    await checkMigrationUrl(environment, main, use);
  } finally {
    for (const close of closers) await close();
  }
}

async function openPlace(environment: Environment, { closing, tell }: Use): Promise<DatabasePlace | undefined> {
  const found = await findDatabase(environment);
  if (found !== undefined) return await findPoolerIfReachable(found);
  const { dataDir } = environment;
  if (!existsSync(join(dataDir, 'postgres'))) {
    tell({ rule: `The first start creates the embedded database below ${dataDir}`, found: [] });
    return undefined;
  }
  try {
    const embedded = await startEmbeddedPostgres({ dataDir });
    closing(embedded.stop);
    return { variable: 'DATA_DIR', url: embedded.url };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const remedy = 'Or set DATABASE_URL to another PostgreSQL.';
    tell({ rule: 'The embedded database starts', found: [{ level: 'error', variable: 'DATA_DIR', problem, remedy }] });
    return undefined;
  }
}

async function checkServing(
  environment: Environment,
  place: DatabasePlace,
  { closing, tell }: Use,
): Promise<DatabaseFacts | undefined> {
  const { variable } = place;
  const sql = open(place, { closing });
  const reached = await checkDatabase(sql, place);
  tell({ rule: `${variable} leads to PostgreSQL 18 or newer`, found: reached });
  const facts = reached.length > 0 ? undefined : await readFacts(sql);
  if (facts === undefined) {
    const all = 'The privileges, the session, the schema, the clocks and the signing key';
    tell({ rule: `${all}: the database must be reached first`, found: 'skipped' });
    return undefined;
  }
  const privileges = checkPrivileges(facts, { variable, production: environment.production });
  tell({ rule: `The login ${facts.login} has the rights of kilim_server`, found: privileges });
  tell({ rule: 'The clocks of the database and of this machine agree', found: judgeClock(await sampleClock(sql)) });
  if (poolerOf(place.url) === undefined) {
    const found = judgeConnections(await readConnectionLimits(sql), place);
    tell({ rule: 'PostgreSQL has connections for all servers and one more', found });
  }
  if (!facts.hasLedger) {
    tell({ rule: 'The database is empty: npm run migrate, or the first start, creates the schema', found: [] });
  } else if (facts.mayBeServer) {
    const appSql = open(place, { closing, role: 'kilim_server' });
    const wrong = await checkSession(appSql, { variable, role: 'kilim_server' });
    tell({ rule: 'A session has the role, the limits and the prepared statements of a server', found: wrong });
    await checkLedger(environment, appSql, tell);
  } else {
    tell({ rule: 'The session, the schema and the signing key: the login needs kilim_server first', found: 'skipped' });
  }
  return facts;
}

async function checkLedger(environment: Environment, sql: Sql, tell: Tell): Promise<void> {
  const schema = await checkSchema(sql);
  tell({ rule: 'All migrations are applied', found: schema });
  if (schema.length === 0) tell({ rule: 'The ledger lives in this cluster', found: await checkCluster(sql) });
  tell({ rule: 'The signing key is that of the newest checkpoint', found: await checkKey(environment, sql) });
}

async function checkCluster(sql: Sql): Promise<readonly Diagnosis[]> {
  const [row] = await sql<{ state: ClusterState }[]>`select ledger.compare_cluster() as state`;
  const problem = row === undefined ? undefined : explainCluster(row.state);
  return problem === undefined ? [] : [{ level: 'error', problem, remedy: 'Until then nothing is appended.' }];
}

async function checkKey(environment: Environment, sql: Sql): Promise<readonly Diagnosis[]> {
  try {
    const signer = await findSigningKey(signingKeyPlace(environment));
    return checkSigningKey(await readLastCheckpoint(sql), signer);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return [{ level: 'error', variable: 'LEDGER_SIGNING_KEY', problem, remedy: 'Production needs a key of its own.' }];
  }
}

async function checkMigrationUrl({ database }: Environment, main: DatabaseFacts | undefined, { closing, tell }: Use) {
  const { migrationUrl: url } = database;
  if (url === undefined) return;
  const variable = 'MIGRATION_DATABASE_URL';
  const place = await findPoolerIfReachable({ variable, url });
  const sql = open(place, { closing });
  const reached = await checkDatabase(sql, place);
  const other =
    reached.length > 0 || main === undefined ? [] : checkSameDatabase(await readFacts(sql), { main, variable });
  tell({ rule: `${variable} leads to the same database`, found: [...reached, ...other] });
}

function open(
  { url }: DatabasePlace,
  { closing, role }: { readonly closing: Closing; readonly role?: 'kilim_server' },
): Sql {
  const sql = connect({ url, role, max: 1, applicationName: 'kilim doctor' });
  closing(() => sql.end({ timeout: 1 }));
  return sql;
}
