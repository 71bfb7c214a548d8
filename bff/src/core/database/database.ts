import postgres, { type Notice, type TransactionSql } from 'postgres';
import { parseDatabaseAddress, readDatabaseAddress } from './database-address.ts';
import { dropLeadingHoles } from './postgres-js/drop-leading-holes.ts';
import { guardTransactions } from './postgres-js/guard-transactions.ts';
import { allowSilence } from './postgres-js/socket/database-socket.ts';
import { startupPadding } from './postgres-js/socket/messages.ts';
import { socketsOf } from './postgres-js/socket/sockets.ts';
import { safeBigint, type TextArray, textArray } from './values.ts';

// `postgres-js/` holds the workarounds for defects of postgres.js.

/** A `bigint` column is a number; an unsafe one is an error. */
export type Sql = ReturnType<typeof connect>;
export type Transaction = TransactionSql<{ bigint: number; textArray: TextArray }>;

export type ConnectOptions = {
  /**
   * `postgres://user:password@host1,host2/database`. Its query parameters win over these options. Through a pooler: as
   * `findPooler` returns it. See `database-address.ts`.
   */
  readonly url: string;
  /** Absent: the role of the login. */
  readonly role?: 'kilim_server' | 'kilim_report' | 'kilim_verifier' | undefined;
  readonly max: number;
  readonly applicationName: string;
  readonly onNotice?: (notice: Notice) => void;
  /** 0: no limit. A transaction with longer statements calls `allowLongStatements`. */
  readonly statementTimeoutSeconds?: number;
  readonly lockTimeoutSeconds?: number;
  /** Of PostgreSQL, for a database's own address. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Default: 2. That of the address wins. */
  readonly connectTimeoutSeconds?: number;
};

const usualConnectTimeoutSeconds = 2;

/** For a first answer: longer than the connection timeout of a pool, so that its own error comes first. */
export function firstAnswerMs(url: string): number {
  return ((readDatabaseAddress(url).connectTimeoutSeconds ?? usualConnectTimeoutSeconds) + 3) * 1000;
}

/**
 * The first statement opens a connection. The server ends a statement or a wait for a lock at its limit. When it does
 * not, the client gives the connection up a second later.
 */
export function connect(options: ConnectOptions) {
  const { max, applicationName, onNotice, connectTimeoutSeconds = usualConnectTimeoutSeconds } = options;
  const address = parseDatabaseAddress(options.url);
  const { addresses, pooler, targetSession = addresses.length > 1 ? 'primary' : undefined } = address;
  const limits = pooler === undefined ? limitsOf(options) : servingLimits;
  // The socket looks for the right one of several hosts.
  const [first = { host: '', port: 0 }] = addresses;
  // As lists, because it takes a text with colons apart. Its types do not have them.
  const place: object = 'path' in first ? first : { host: [first.host], port: [first.port] };
  const sql = postgres({
    ...place,
    username: address.login,
    password: address.password,
    database: address.database,
    max,
    connect_timeout: address.connectTimeoutSeconds ?? connectTimeoutSeconds,
    // Finds a returning database within half a second.
    backoff: (tries: number) => Math.min(0.02 * 2 ** tries, 0.5),
    // The usual one is not 'read-write', for which postgres.js accepts a standby.
    ...(targetSession === undefined ? {} : { target_session_attrs: targetSession }),
    ...(pooler === 'unprepared' ? { prepare: false } : {}),
    ...socketsOf(address, {
      silenceMs: silenceMsAfter(limits.statementTimeoutSeconds),
      onNotice,
      isInTurns: pooler === 'unprepared',
    }),
    connection: {
      application_name: address.applicationName ?? applicationName,
      ...(address.options === undefined ? {} : { options: address.options }),
      ...options.settings,
      // A pooler drops or refuses these parameters: there the login's own settings apply.
      ...(pooler === undefined ? sessionSettings({ ...limits, role: options.role }) : {}),
      ...startupPadding,
    },
    ...saferOptions,
    types: { bigint: safeBigint, textArray },
  });
  // Never sent: it only gives access to the prototype of all statements.
  dropLeadingHoles(sql``);
  guardTransactions(sql);
  return sql;
}

/** Options that avoid two flaws; see `postgres-js/README.md`. */
const saferOptions = {
  // Reading the array types of a new connection can end the process.
  fetch_types: false,
  // A `begin` that fills a pipeline is forgotten, so no pipeline is ever full.
  max_pipeline: 1_000_000,
};

export type SessionLimits = { readonly statementTimeoutSeconds: number; readonly lockTimeoutSeconds: number };

export function limitsOf(
  options: Pick<ConnectOptions, 'statementTimeoutSeconds' | 'lockTimeoutSeconds'>,
): SessionLimits {
  const { statementTimeoutSeconds = 15, lockTimeoutSeconds = 5 } = options;
  return { statementTimeoutSeconds, lockTimeoutSeconds };
}

/** What every session needs, as PostgreSQL's parameters: times in milliseconds. */
export function sessionSettings({
  role,
  statementTimeoutSeconds,
  lockTimeoutSeconds,
}: SessionLimits & Pick<ConnectOptions, 'role'>) {
  return {
    statement_timeout: statementTimeoutSeconds * 1000,
    lock_timeout: lockTimeoutSeconds * 1000,
    idle_in_transaction_session_timeout: 10_000,
    // Statements must not depend on the server's settings, or on a schema named like the login.
    TimeZone: 'UTC',
    search_path: 'public',
    ...(role === undefined ? {} : { role }),
  };
}

/** The server ends a statement at its time limit. A second later it counts as away. */
function silenceMsAfter(statementTimeoutSeconds: number): number | undefined {
  return statementTimeoutSeconds === 0 ? undefined : (statementTimeoutSeconds + 1) * 1000;
}

/** For a statement that always answers a row. */
export async function onlyRow<Row>(statement: PromiseLike<readonly Row[]>): Promise<Row> {
  const [row] = await statement;
  if (row === undefined) throw new Error('The database answered nothing');
  return row;
}

/** Whether the only value of a statement is true: false also without a row. */
export async function isTrue(statement: PromiseLike<readonly object[]>): Promise<boolean> {
  const [row = {}] = await statement;
  return Object.values(row)[0] === true;
}

/** From now on each statement of this transaction may take so long. 0: no limit. */
export async function allowLongStatements(transaction: Transaction, seconds: number): Promise<void> {
  const { state } = await transaction`select set_config('statement_timeout', ${String(seconds * 1000)}, true)`;
  allowSilence(state, silenceMsAfter(seconds));
}

/**
 * More connections are slower: on two cores, with sixteen concurrent appends, sixteen did 4 to 14 % less than ten,
 * because the database switches between sessions more often.
 */
export const serverConnections = 10;

/**
 * For requests and background work: a connection that is lost without a reset is replaced after five seconds. Longer
 * work calls `allowLongStatements`. Through a pooler every pool has these limits.
 */
export const servingLimits = { statementTimeoutSeconds: 4, lockTimeoutSeconds: 3 } as const;
