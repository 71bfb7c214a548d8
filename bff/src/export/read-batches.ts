import { setImmediate } from 'node:timers/promises';
import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../database.ts';

const rowsPerBatch = 250;

/** What one reading may take altogether, however slowly its reader takes it. */
const longestReading = '30min';

/** Rows of one statement, some at a time, through a server-side cursor. With more of them at once only memory grows. */
export function readBatches<Item extends Row>(
  sql: Sql,
  statement: (reader: Transaction) => PendingQuery<Item[]>,
): AsyncGenerator<readonly Item[], void> {
  return readAhead(sql, (reader) => statement(reader).cursor(rowsPerBatch)[Symbol.asyncIterator]());
}

/**
 * What is read in one transaction, which sees the ledger as it is at one instant, part after part: the next part is fetched while one is
 * worked on, and not before that one is asked for. Whoever stops early, by `break` or `return`, frees the connection.
 */
export async function* readAhead<Part>(
  sql: Sql,
  partsOf: (reader: Transaction) => AsyncIterator<Part>,
): AsyncGenerator<Part, void> {
  const begun = Promise.withResolvers<Transaction>();
  const read = Promise.withResolvers<void>();
  // Not `reserve`, which never answers when it has to open a connection whose types are not fetched.
  const transaction = sql.begin('isolation level repeatable read read only', async (reader) => {
    begun.resolve(reader);
    await read.promise;
  });
  transaction.catch(begun.reject);
  try {
    const reader = await begun.promise;
    // Between two parts nothing may happen for as long as whoever takes them is waited for.
    await reader`
      select set_config('statement_timeout', ${longestReading}, true),
        set_config('idle_in_transaction_session_timeout', ${longestReading}, true)`;
    yield* prefetched(partsOf(reader));
  } finally {
    read.resolve();
    // What went wrong was said where the rows were read.
    await transaction.catch(() => undefined);
  }
}

async function* prefetched<Item>(batches: AsyncIterator<Item>): AsyncGenerator<Item, void> {
  const fetchNext = () => {
    const fetched = Promise.resolve(batches.next());
    // Whoever stops early hears of a failure no more.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetchNext();
  try {
    for (;;) {
      const batch = await next;
      if (batch.done === true) return;
      next = fetchNext();
      // What asks for the next part leaves at the end of this turn: without it the database would wait for as long as we work.
      await setImmediate();
      yield batch.value;
    }
  } finally {
    // A batch that is on its way has to arrive before the cursor can be closed.
    await next.catch(() => undefined);
    await batches.return?.();
  }
}
