import { setTimeout } from 'node:timers/promises';
import postgres, { type Notice, type TransactionSql } from 'postgres';
import { outliveLostTransactions } from './lost-transactions.ts';
import { takeHolesOutOfRows } from './whole-rows.ts';

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
  /** A longer export sets `set local statement_timeout` in its own transaction. */
  readonly statementTimeoutSeconds?: number;
};

/**
 * Opens no connection yet: the first statement does. A server that is away is noticed within 2 seconds, a statement or a
 * lock that takes too long is ended by the server, so that nothing waits for ever and nothing holds a lock for ever.
 */
export function connect(options: ConnectOptions) {
  const { url, role, max, applicationName, onNotice, statementTimeoutSeconds = 15 } = options;
  const sql = postgres(url, {
    max,
    connect_timeout: 2,
    // A database that is back is found within half a second: the default waits up to 20 seconds between tries.
    backoff: (tries: number) => Math.min(0.02 * 2 ** tries, 0.5),
    // Among several hosts only the primary will do. Not 'read-write': postgres.js accepts a standby for that.
    ...(namesSeveralHosts(url) && !url.includes('target_session_attrs=') ? { target_session_attrs: 'primary' } : {}),
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutSeconds * 1000,
      lock_timeout: 5000,
      idle_in_transaction_session_timeout: 10_000,
      // What a statement means must not depend on how somebody set up the server, nor on a schema named like the login.
      TimeZone: 'UTC',
      search_path: 'public',
      ...(role === undefined ? {} : { role }),
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

/**
 * How many connections a server has for what its customers and its administrator ask. More of them do less: on two cores, of sixteen appends at
 * a time, sixteen connections did 4 and 14 % less than ten, because the database changes between sessions more often.
 */
export const serverConnections = 10;

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

/** PostgreSQL is starting, stopping, failing over, or not there. Nobody knows whether the last statement was done. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(08|57P0|53|25006|40001|55000|55P03)/.test(error.code);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOENT|ETIMEDOUT)/.test(code);
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

function namesSeveralHosts(url: string): boolean {
  const [, authority = ''] = /^[^:]+:\/\/([^/?]*)/.exec(url) ?? [];
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',');
}
