/**
 * A pooler drops the start parameters of a session.
 * - `prepared`: it knows the prepared statements of each client, as PgBouncer 1.21 and later do.
 * - `unprepared`: a statement that one transaction prepared may be missing in the next one.
 */
export type Pooler = 'prepared' | 'unprepared';

const parameter = 'pooler';

/** @returns undefined for the database's own address. */
export function poolerOf(url: string): Pooler | undefined {
  const value = queryOf(url).get(parameter);
  if (value === null) return undefined;
  if (value === 'prepared' || value === 'unprepared') return value;
  throw new Error(`The query parameter ${parameter} of a database address must be prepared or unprepared.`);
}

export function throughPooler(url: string, pooler: Pooler): string {
  const query = queryOf(url);
  query.set(parameter, pooler);
  return withQuery(url, query);
}

/** Neither postgres.js nor PostgreSQL knows the parameter. */
export function withoutPooler(url: string): string {
  const query = queryOf(url);
  if (!query.has(parameter)) return url;
  query.delete(parameter);
  return withQuery(url, query);
}

// Not `URL`, which does not accept several hosts.

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
}

function withQuery(url: string, query: URLSearchParams): string {
  const [address = ''] = url.split('?', 1);
  return query.size === 0 ? address : `${address}?${query.toString()}`;
}
