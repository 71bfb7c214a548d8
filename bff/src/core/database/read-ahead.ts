import { setImmediate } from 'node:timers/promises';
import { allowLongStatements, type Sql, type Transaction } from './database.ts';

const longestReadingSeconds = 1800;

/**
 * All items come from one snapshot of the ledger. A caller that stops early, by `break` or `return`, frees the
 * connection.
 */
export async function* readAhead<Part>(
  sql: Sql,
  partsOf: (reader: Transaction) => AsyncIterable<Part>,
): AsyncGenerator<Part, void> {
  const begun = Promise.withResolvers<Transaction>();
  const read = Promise.withResolvers<void>();
  // When the transaction does not begin, nothing waits for this promise.
  read.promise.catch(() => undefined);
  // Not `reserve`, which never resolves when it opens a connection whose types are not fetched.
  const transaction = sql.begin('isolation level repeatable read read only', async (reader) => {
    begun.resolve(reader);
    await read.promise;
  });
  transaction.catch(begun.reject);
  try {
    const reader = await begun.promise;
    await allowLongStatements(reader, longestReadingSeconds);
    yield* ahead(partsOf(reader));
  } catch (error) {
    // A lost connection needs no commit.
    read.reject(error);
    throw error;
  } finally {
    read.resolve();
    // The reader has already thrown this error.
    await transaction.catch(() => undefined);
  }
}

/** PostgreSQL and the server work at the same time. */
export async function* ahead<Part>(cursor: AsyncIterable<Part>): AsyncGenerator<Part, void> {
  const parts = cursor[Symbol.asyncIterator]();
  let next = Promise.resolve(parts.next());
  try {
    for (let part = await next; part.done !== true; part = await next) {
      next = Promise.resolve(parts.next());
      // A caller that stops early does not see the next error.
      next.catch(() => undefined);
      // The driver hears of it in this turn, and writes the request at the end of the next one.
      await setImmediate();
      await setImmediate();
      yield part.value;
    }
  } finally {
    // The pending part must arrive before the reading can be ended.
    await next.catch(() => undefined);
    await parts.return?.();
  }
}
