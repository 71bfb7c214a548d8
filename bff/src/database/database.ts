import postgres, { type Notice, type TransactionSql } from 'postgres';
import { dropLeadingHoles } from './drop-leading-holes.ts';
import { guardTransactions } from './guard-transactions.ts';
import { allowSilence, DatabaseSocket } from './socket/database-socket.ts';
import { encryptionOf, withoutRootCertificate } from './socket/dial.ts';
import { type Address, addressesOf, createHosts, hostsOf } from './socket/hosts.ts';
import { startupPadding } from './socket/messages.ts';
import { safeBigint, type TextArray, textArray } from './values.ts';

// Connections to PostgreSQL. `postgres-js.md` lists what postgres.js does wrong, and what mends it.

/**
 * A pool of connections. A `bigint` column is a number, and an error when a number cannot hold it
 * exactly.
 */
export type Sql = ReturnType<typeof connect>;
/** The parameter of the callback of `sql.begin`. */
export type Transaction = TransactionSql<{ bigint: number; textArray: TextArray }>;

export type ConnectOptions = {
  /**
   * `postgres://user:password@host1,host2/database`. Its query parameters win over these options.
   */
  readonly url: string;
  /** The role of every session. Absent: the role of the login. */
  readonly role?: 'kilim_app' | 'kilim_report' | undefined;
  readonly max: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly onNotice?: (notice: Notice) => void;
  /** 0: no limit. A transaction with longer statements calls `allowLongStatements`. */
  readonly statementTimeoutSeconds?: number;
  readonly lockTimeoutSeconds?: number;
};

/**
 * Makes a pool. The first statement opens a connection. An absent server is noticed within 2
 * seconds. The server ends a statement, or a wait for a lock, that takes too long. When it does
 * not, the client gives the connection up a second later.
 */
export function connect(options: ConnectOptions) {
  const { url, role, max, applicationName, onNotice, statementTimeoutSeconds = 15 } = options;
  const { lockTimeoutSeconds = 5 } = options;
  const hosts = hostsOf(url);
  const sql = postgres(withoutRootCertificate(url), {
    max,
    connect_timeout: 2,
    // A returning database is found within half a second. The default waits up to 20 seconds
    // between tries.
    backoff: (tries: number) => Math.min(0.02 * 2 ** tries, 0.5),
    // Among several hosts, connect to the primary. 'read-write' does not work: postgres.js accepts
    // a standby for it. The socket looks for the right host, and postgres.js gets only one of them.
    ...(hosts.length > 1 ? { host: hosts[0] } : {}),
    ...(hosts.length > 1 && !url.includes('target_session_attrs=') ? { target_session_attrs: 'primary' } : {}),
    ...socketsOf(options),
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutSeconds * 1000,
      lock_timeout: lockTimeoutSeconds * 1000,
      idle_in_transaction_session_timeout: 10_000,
      // The meaning of a statement must not depend on the server's settings or on a schema named
      // like the login.
      TimeZone: 'UTC',
      search_path: 'public',
      ...(role === undefined ? {} : { role }),
      ...startupPadding,
    },
    // The one array type that is sent is named below; see `postgres-js.md`.
    fetch_types: false,
    ...neverFullPipeline,
    types: { bigint: safeBigint, textArray },
    onnotice: onNotice ?? (() => undefined),
  });
  // This statement is never sent: it only gives access to the prototype of all statements.
  dropLeadingHoles(sql``);
  guardTransactions(sql);
  return sql;
}

/** The option `socket`, which the types of postgres.js lack. Its sockets do TLS themselves. */
function socketsOf({ url, statementTimeoutSeconds = 15 }: ConnectOptions) {
  const shared = {
    encryption: encryptionOf(url, process.env),
    silenceMs: silenceMsAfter(statementTimeoutSeconds),
    sockets: new Set<DatabaseSocket>(),
  };
  const named = hostsOf(url);
  const several = named.length > 1 ? createHosts(addressesOf(named)) : undefined;
  const socket = ({ host, port, path, target_session_attrs: wanted }: DriverOptions) => {
    const only: Address = path ? { path } : { host: host[0] ?? 'localhost', port: port[0] ?? 5432 };
    return new DatabaseSocket({ ...shared, wanted, hosts: several ?? createHosts([only]) });
  };
  return { ssl: false as const, socket };
}

type DriverOptions = {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
  readonly target_session_attrs?: string | null;
};

/**
 * The server ends a statement at its time limit. A server that has not done so a second later is
 * away.
 */
function silenceMsAfter(statementTimeoutSeconds: number): number | undefined {
  return statementTimeoutSeconds === 0 ? undefined : (statementTimeoutSeconds + 1) * 1000;
}

/** From now on each statement of this transaction may take so long. 0: no limit. */
export async function allowLongStatements(transaction: Transaction, seconds: number): Promise<void> {
  const { state } = await transaction`select set_config('statement_timeout', ${String(seconds * 1000)}, true)`;
  allowSilence(state, silenceMsAfter(seconds));
}

/**
 * The connections of a server for requests. More connections are slower: on two cores with sixteen
 * concurrent appends, sixteen connections did 4 to 14 % less than ten, because the database
 * switches between sessions more often.
 */
export const serverConnections = 10;

/**
 * Limits of the pools for requests and background work: a connection that is lost without a reset
 * is replaced after five seconds. Longer work calls `allowLongStatements`.
 */
export const servingLimits = { statementTimeoutSeconds: 4, lockTimeoutSeconds: 3 } as const;

/** Keeps pipelines from filling; see `postgres-js.md`. The types of postgres.js lack the option. */
const neverFullPipeline = { max_pipeline: 1_000_000 };
