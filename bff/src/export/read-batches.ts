import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../database.ts';

const rowsPerBatch = 1000;

/** What one reading may take altogether, however slowly its reader takes it. */
const longestReading = '30min';

/**
 * Rows of one statement, a thousand at a time, through a server-side cursor: the next thousand are fetched while these are worked on, and not before these
 * are asked for. It sees the ledger as it is at one instant. Whoever stops early, by `break` or `return`, frees the connection.
 */
export async function* readBatches<Item extends Row>(
  sql: Sql,
  statement: (reader: Transaction) => PendingQuery<Item[]>,
): AsyncGenerator<readonly Item[], void> {
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
    await reader`select set_config('statement_timeout', ${longestReading}, true)`;
    yield* prefetched(statement(reader).cursor(rowsPerBatch)[Symbol.asyncIterator]());
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
      yield batch.value;
    }
  } finally {
    // A batch that is on its way has to arrive before the cursor can be closed.
    await next.catch(() => undefined);
    await batches.return?.();
  }
}
