import postgres, { type Notice, type TransactionSql } from 'postgres';
import { poolerOf, withoutPooler } from './pooled-address.ts';
import { dropLeadingHoles } from './postgres-js/drop-leading-holes.ts';
import { guardTransactions } from './postgres-js/guard-transactions.ts';
import { allowSilence } from './postgres-js/socket/database-socket.ts';
import { withoutRootCertificate } from './postgres-js/socket/dial.ts';
import { hostsOf } from './postgres-js/socket/hosts.ts';
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
   * `findPooler` returns it.
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
  /** Default: 2. */
  readonly connectTimeoutSeconds?: number;
};

/**
 * The first statement opens a connection. The server ends a statement or a wait for a lock at its limit. When it does
 * not, the client gives the connection up a second later.
 */
export function connect(options: ConnectOptions) {
  const { max, applicationName, onNotice, connectTimeoutSeconds = 2 } = options;
  const pooler = poolerOf(options.url);
  const url = withoutPooler(options.url);
  const limits = pooler === undefined ? limitsOf(options) : servingLimits;
  const hosts = hostsOf(url);
  const sql = postgres(withoutRootCertificate(url), {
    max,
    connect_timeout: connectTimeoutSeconds,
    // Finds a returning database within half a second.
    backoff: (tries: number) => Math.min(0.02 * 2 ** tries, 0.5),
    // Not 'read-write', for which postgres.js accepts a standby. The socket looks for the right host, and postgres.js
    // gets one.
    ...(hosts.length > 1 ? { host: hosts[0] } : {}),
    ...(hosts.length > 1 && !url.includes('target_session_attrs=') ? { target_session_attrs: 'primary' } : {}),
    ...(pooler === 'unprepared' ? { prepare: false } : {}),
    ...socketsOf(url, {
      silenceMs: silenceMsAfter(limits.statementTimeoutSeconds),
      onNotice,
      isInTurns: pooler === 'unprepared',
    }),
    connection: {
      application_name: applicationName,
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
