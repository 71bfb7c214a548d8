import { Readable } from 'node:stream';
import type { Sql, Transaction } from '../database.ts';

/** What PostgreSQL writes before the first row of a binary COPY: a signature, flags, and the length of an extension that nobody has. */
const headerBytes = 19;
/** What stands in the place of a row after the last one: no number of columns. */
const trailerBytes = 2;

/**
 * Hands over the rows of `copy ... to stdout (format binary)` one by one as they arrive, each of them only until the next one: what is made of a row
 * at once costs half of what it does later, when thousands of rows had to be kept. Nobody can take a break meanwhile, since a COPY that is held
 * back can get stuck at its end (postgres.js then lets the connection rest for ever), and nothing but reading it ends a COPY. So whoever
 * works slowly, or may stop early, asks for pages.
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
  const opened = openStream(sql, statement, (stream) => {
    stream.on('data', takeSent);
    stream.once('end', over.resolve);
    stream.once('error', over.reject);
  });
  await Promise.all([opened, over.promise]);
  if (thrown !== undefined) throw thrown.error;
}

/**
 * postgres.js hands a stream over a moment after it has begun to fill it. An error that came with the first rows would find nobody who listens,
 * and end the process; so we listen when it is made.
 */
async function openStream(
  sql: Sql | Transaction,
  statement: string,
  listen: (stream: Readable) => void,
): Promise<void> {
  const query = sql.unsafe(statement);
  const handed = query as unknown as { resolve: (stream: Readable) => void };
  const handOver = handed.resolve;
  handed.resolve = (stream) => {
    // Called once more when all is over.
    handed.resolve = handOver;
    if (!(stream instanceof Readable)) throw copyNotBegun();
    listen(stream);
    handOver(stream);
  };
  await query.readable();
}

/** When PostgreSQL crashes at this moment, postgres.js resolves the statement with rows, of which there are none, and not with a stream. */
function copyNotBegun(): Error {
  return Object.assign(new Error('The connection ended before the copy began'), { code: 'CONNECTION_CLOSED' });
}
