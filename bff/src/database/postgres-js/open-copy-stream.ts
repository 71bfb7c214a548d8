import { Readable } from 'node:stream';
import type { Sql, Transaction } from '../database.ts';

/**
 * Starts a `copy ... to stdout`, and calls `listen` as soon as its stream exists. postgres.js
 * resolves with the stream after it has begun to fill it: an error in the first rows would have no
 * listener and end the process. See `README.md`.
 */
export async function openCopyStream(
  sql: Sql | Transaction,
  statement: string,
  listen: (stream: Readable) => void,
): Promise<void> {
  const query = sql.unsafe(statement);
  const handed = query as unknown as { resolve: (stream: Readable) => void };
  const handOver = handed.resolve;
  handed.resolve = (stream) => {
    // postgres.js calls it again at the end.
    handed.resolve = handOver;
    if (!(stream instanceof Readable)) throw copyNotBegun();
    listen(stream);
    handOver(stream);
  };
  await query.readable();
}

/**
 * If PostgreSQL crashes at this moment, postgres.js resolves with an empty list of rows instead of
 * a stream.
 */
function copyNotBegun(): Error {
  return Object.assign(new Error('The connection ended before the copy began'), { code: 'CONNECTION_CLOSED' });
}
