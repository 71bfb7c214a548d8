import { Readable } from 'node:stream';
import type { Sql, Transaction } from '../database.ts';

/** The header of a binary COPY: a signature, flags, and the length of an unused extension. */
const headerBytes = 19;
/** The trailer after the last row: -1 as the number of columns. */
const trailerBytes = 2;

/**
 * Passes each row of `copy ... to stdout (format binary)` to `take` as it arrives. A row is valid
 * only during that call: keeping thousands of rows first would double the cost. The caller cannot
 * pause: under backpressure a COPY can get stuck at its end, and postgres.js then never releases
 * the connection. So slow readers, and readers that may stop early, use pages.
 */
export async function copyOut(sql: Sql | Transaction, statement: string, take: (row: Buffer) => void): Promise<void> {
  const over = Promise.withResolvers<void>();
  let isFirst = true;
  let thrown: { readonly error: unknown } | undefined;
  const takeSent = (sent: Buffer) => {
    const row = isFirst ? sent.subarray(headerBytes) : sent;
    isFirst = false;
    if (row.length <= trailerBytes || thrown !== undefined) return;
    try {
      take(row);
    } catch (error) {
      thrown = { error };
    }
  };
  const opened = openCopyStream(sql, statement, (stream) => {
    stream.on('data', takeSent);
    stream.once('end', over.resolve);
    stream.once('error', over.reject);
  });
  await Promise.all([opened, over.promise]);
  if (thrown !== undefined) throw thrown.error;
}

/**
 * Starts a `copy ... to stdout`, and calls `listen` as soon as its stream exists. postgres.js
 * resolves after it has begun to fill the stream: an error in the first rows would have no listener
 * and end the process. See `../postgres-js/README.md`.
 */
async function openCopyStream(
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
