import type { Readable } from 'node:stream';
import type { Sql, Transaction } from '../database.ts';

/** What PostgreSQL writes before the first row of a binary COPY: a signature, flags, and the length of an extension that nobody has. */
const headerBytes = 19;
/** What stands in the place of a row after the last one: no number of columns. */
const trailerBytes = 2;

/**
 * The rows of `copy ... to stdout (format binary)`, as many at a time as have arrived. Each begins with the number of its columns, and each
 * column with its length. What has arrived waits in memory, however long its reader takes: a COPY that is held back can get stuck at its end,
 * because postgres.js then lets the connection rest for ever. So whoever works slowly asks for pages. Nothing but reading it ends a COPY: whoever
 * stops early waits until the rest of it was read and thrown away.
 */
export async function* copyOut(sql: Sql | Transaction, statement: string): AsyncGenerator<readonly Buffer[], void> {
  const over = Promise.withResolvers<void>();
  const arriving: Arriving = { rows: [], isWanted: true, end: undefined, wake: () => undefined };
  const end = (how: Exclude<Arriving['end'], undefined>) => {
    arriving.end = how;
    over.resolve();
    arriving.wake();
  };
  let isFirst = true;
  await openStream(sql, statement, (stream) => {
    stream.on('data', (sent: Buffer) => {
      const row = isFirst ? sent.subarray(headerBytes) : sent;
      isFirst = false;
      if (arriving.isWanted && row.length > trailerBytes) arriving.rows.push(row);
      arriving.wake();
    });
    stream.once('end', () => end('whole'));
    stream.once('error', end);
  });
  try {
    for (;;) {
      if (arriving.rows.length > 0) {
        const { rows } = arriving;
        arriving.rows = [];
        yield rows;
      } else if (arriving.end === 'whole') return;
      else if (arriving.end !== undefined) throw arriving.end;
      else {
        await new Promise<void>((resolve) => {
          arriving.wake = resolve;
        });
      }
    }
  } finally {
    arriving.isWanted = false;
    await over.promise;
  }
}

type Arriving = {
  rows: Buffer[];
  isWanted: boolean;
  /** How it ended; undefined while it goes on. */
  end: 'whole' | Error | undefined;
  wake: () => void;
};

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
    listen(stream);
    handOver(stream);
  };
  await query.readable();
}
