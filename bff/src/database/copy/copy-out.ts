import type { Sql, Transaction } from '../database.ts';
import { openCopyStream } from '../postgres-js/open-copy-stream.ts';

/** The header of a binary COPY: a signature, flags, and the length of an unused extension. */
const headerBytes = 19;
/** The trailer after the last row: -1 as the number of columns. */
const trailerBytes = 2;

/**
 * Passes each row of `copy ... to stdout (format binary)` to `take` as it arrives. A row is valid
 * only during that call: to process rows immediately costs half of what it costs to keep thousands
 * of them first. The caller cannot pause: a COPY under backpressure can get stuck at its end
 * (postgres.js then never releases the connection), and a COPY ends only when it is read. So slow
 * readers, and readers that may stop early, use pages.
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
