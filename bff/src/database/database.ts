import { setTimeout } from 'node:timers/promises';
import postgres, { type Notice, type TransactionSql } from 'postgres';
import { tooLate } from '../server/deadline.ts';
import { takeHolesOutOfRows } from './drop-leading-holes.ts';
import { outliveLostTransactions } from './guard-transactions.ts';
import { allowSilence, DatabaseSocket } from './socket/database-socket.ts';
import { encryptionOf, withoutRootCertificate } from './socket/dial.ts';
import { type Address, addressesOf, createHosts, hostsOf } from './socket/hosts.ts';
import { startupPadding } from './socket/messages.ts';

/** A pool. Rows carry `bigint` columns as numbers: cents, positions and versions stay far below 2^53, and one that does not is an error. */
export type Sql = ReturnType<typeof connect>;
/** What `sql.begin` hands to its callback. */
export type Transaction = TransactionSql<{ bigint: number; textArray: TextArray }>;

export type ConnectOptions = {
  /** `postgres://user:password@host1,host2/database`. What it says after `?` wins over the options here. */
  readonly url: string;
  /** The role whose rights every session has, whoever logs in. Absent: the login's own rights. */
  readonly role?: 'kilim_app' | 'kilim_report' | undefined;
  readonly max: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly onNotice?: (notice: Notice) => void;
  /** 0: without end. A transaction whose statements may take longer says so with `allowLongStatements`. */
  readonly statementTimeoutSeconds?: number;
  readonly lockTimeoutSeconds?: number;
};

/**
 * Opens no connection yet: the first statement does. A server that is away is noticed within 2 seconds, a statement or a
 * lock that takes too long is ended by the server, so that nothing waits for ever and nothing holds a lock for ever. A second later the
 * connection itself is given up, because then the server is not heard any more.
 */
export function connect(options: ConnectOptions) {
  const { url, role, max, applicationName, onNotice, statementTimeoutSeconds = 15 } = options;
  const { lockTimeoutSeconds = 5 } = options;
  const hosts = hostsOf(url);
  const sql = postgres(withoutRootCertificate(url), {
    max,
    connect_timeout: 2,
    // A database that is back is found within half a second: the default waits up to 20 seconds between tries.
    backoff: (tries: number) => Math.min(0.02 * 2 ** tries, 0.5),
    // Among several hosts only the primary will do. Not 'read-write': postgres.js accepts a standby for that. It is told of one host,
    // and its socket looks for the right one: postgres.js itself forgets statements when it changes to the next.
    ...(hosts.length > 1 ? { host: hosts[0] } : {}),
    ...(hosts.length > 1 && !url.includes('target_session_attrs=') ? { target_session_attrs: 'primary' } : {}),
    ...socketsOf(options),
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutSeconds * 1000,
      lock_timeout: lockTimeoutSeconds * 1000,
      idle_in_transaction_session_timeout: 10_000,
      // What a statement means must not depend on how somebody set up the server, nor on a schema named like the login.
      TimeZone: 'UTC',
      search_path: 'public',
      ...(role === undefined ? {} : { role }),
      ...startupPadding,
    },
    // postgres.js asks for the array types of each new connection in a promise that nobody waits for: a connection that breaks just
    // then would end the process. We name the one array type that we send.
    fetch_types: false,
    ...unreachablePipelineEnd,
    types: { bigint: safeBigint, textArray },
    onnotice: onNotice ?? (() => undefined),
  });
  // Only made, and never sent: it has what all statements have.
  takeHolesOutOfRows(sql``);
  outliveLostTransactions(sql);
  return sql;
}

/** What the types do not know: that postgres.js takes its sockets from us, already encrypted. */
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

/** The server ends a statement when its time is over. One that does not, even a second later, is not there. */
function silenceMsAfter(statementTimeoutSeconds: number): number | undefined {
  return statementTimeoutSeconds === 0 ? undefined : (statementTimeoutSeconds + 1) * 1000;
}

/** From here on each statement of this transaction may take so long. 0: without end. */
export async function allowLongStatements(transaction: Transaction, seconds: number): Promise<void> {
  const { state } = await transaction`select set_config('statement_timeout', ${String(seconds * 1000)}, true)`;
  allowSilence(state, silenceMsAfter(seconds));
}

/**
 * How many connections a server has for what its customers and its administrator ask. More of them do less: on two cores, of sixteen appends at
 * a time, sixteen connections did 4 and 14 % less than ten, because the database changes between sessions more often.
 */
export const serverConnections = 10;

/**
 * Limits of the pools that serve requests and do background work: a connection that was lost without a word is replaced after five seconds.
 * Work that may take longer says so with `allowLongStatements`.
 */
export const servingLimits = { statementTimeoutSeconds: 4, lockTimeoutSeconds: 3 } as const;

/**
 * A `begin` that fills a connection's pipeline, 101 statements by default, is sent and its transaction is lost sight of: whatever came next on that
 * connection would be in it, and undone with it (postgres.js 3.4.9, its issue 1189). So no pipeline is ever full. The types do not know the option.
 */
const unreachablePipelineEnd = { max_pipeline: 1_000_000 };

/** Whether the server answers a statement in time. For readiness checks: it never throws, and never takes longer than asked. */
export async function isReachable(sql: Sql, timeoutMs: number): Promise<boolean> {
  const answered = sql`select 1`.then(
    () => true,
    () => false,
  );
  const deadline = new AbortController();
  try {
    return await Promise.race([answered, setTimeout(timeoutMs, false, { signal: deadline.signal })]);
  } finally {
    deadline.abort();
  }
}

/**
 * PostgreSQL is starting, stopping, failing over, out of something, or not there; or it refuses or ends sessions. Whether the last
 * statement was done is unknown. Repeating the work now may help.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return endsSession(error) || statesOfAbsence.test(error.code);
  return networkFailures.test(codeOf(error));
}

/**
 * Trying again in a moment may help: such an error is answered 503. Beside an absent database these are statements that took too long, and
 * work that lost every race. The server does not repeat them: that would add to the load that made them fail.
 */
export function isTemporary(error: unknown): boolean {
  if (isDatabaseAway(error)) return true;
  if (error instanceof postgres.PostgresError) return statesOfOverload.test(error.code);
  return codeOf(error) === tooLate || codeOf(error) === tooManyConflicts;
}

/**
 * The SQLSTATEs of errors after which the session goes on: 08 connection exceptions, 40 serialization failures and deadlocks, 53 no
 * memory, disk or connections left, 55000 and 25006 on a standby, 57P0 shutdowns.
 */
const statesOfAbsence = /^(08|40|53|25006|55000|57P0)/;
/** A statement or a lock that took too long, and a disk that failed. */
const statesOfOverload = /^(57014|55P03|58)/;
/** Of sockets, name resolution and TLS, as Node.js names them, and of postgres.js itself. */
const networkFailures =
  /^(CONNECTION_|CONNECT_TIMEOUT|SASL_|EAI_|E(CONN\w+|PIPE|TIMEDOUT|NOENT|NOTFOUND|NOTCONN|HOST\w+|NET\w+|ADDRNOTAVAIL|PROTO|[MN]FILE|NOBUFS|NOMEM)$|ERR_(STREAM|SOCKET|TLS|SSL)_|CERT_|UNABLE_TO_)/;

/** A fatal error of any code means that there is no session: it was refused, as by a changed password, or has ended. */
function endsSession({ severity, severity_local: inTheServersLanguage }: postgres.PostgresError): boolean {
  return [severity, inTheServersLanguage].some((level) => level === 'FATAL' || level === 'PANIC');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const tooManyConflicts = 'TOO_MANY_CONFLICTS';

/** For an append that lost the race against other appends each time. The same request may succeed in a moment. */
export function tooManyConflictsError(stream: string, conflicts: number): Error {
  return Object.assign(new Error(`Appending to ${stream} met ${conflicts} version conflicts`), {
    code: tooManyConflicts,
  });
}

const giveUpAfterMs = 4000;

/**
 * Does it again while the database is away, and gives up after 4 seconds. postgres.js lets a statement wait without end when a
 * broken connection cannot be made again, so the deadline is ours. Only for what may safely be done twice, or later than it was
 * answered: reads, and appends, whose command id and expected version see to it.
 */
export async function repeatWhileAway<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + giveUpAfterMs;
  for (let pauseMs = 20; ; pauseMs *= 3) {
    try {
      return await until(deadline, attempt());
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() + pauseMs > deadline) throw error;
      await setTimeout(pauseMs);
    }
  }
}

/** For work that must not be done twice: waits as long as `repeatWhileAway`. What was sent to the database may still happen later. */
export function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  return until(performance.now() + giveUpAfterMs, work);
}

async function until<Answer>(deadline: number, answer: Promise<Answer>): Promise<Answer> {
  const impatience = new AbortController();
  const late = async (): Promise<never> => {
    await setTimeout(Math.max(0, deadline - performance.now()), undefined, { signal: impatience.signal });
    throw Object.assign(new Error('The database did not answer in time.'), { code: 'CONNECT_TIMEOUT' });
  };
  try {
    return await Promise.race([answer, late()]);
  } finally {
    impatience.abort();
  }
}

/** A list of texts or numbers as PostgreSQL's `text[]`; the statement casts it to what it needs. Arrays are sent, never read. */
const textArray = {
  to: 1009,
  from: [1009],
  serialize: (values: TextArray): string => `{${values.map(arrayElement).join(',')}}`,
  parse: (): TextArray => {
    throw new Error('Arrays are not read from the database: select their elements.');
  },
};
type TextArray = readonly (string | number | null)[];

function arrayElement(value: string | number | null): string {
  // Not one regular expression: every append escapes its events here, and this takes half the time.
  return typeof value === 'string'
    ? `"${value.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`
    : String(value);
}

/** A row as PostgreSQL reads it from text: the statement casts it to its type, whose columns these are, in order. */
export function rowText(values: TextArray): string {
  return `(${values.map(rowField).join(',')})`;
}

function rowField(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'string'
    ? `"${value.replaceAll('\\', String.raw`\\`).replaceAll('"', '""')}"`
    : String(value);
}

const safeBigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new RangeError(`PostgreSQL sent the bigint ${text}, which a number cannot hold exactly.`);
    return value;
  },
};
