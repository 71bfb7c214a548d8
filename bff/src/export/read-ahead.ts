import { prefetched } from '../database/copy/prefetched.ts';
import { allowLongStatements, type Sql, type Transaction } from '../database/database.ts';

/** The time limit of a whole reading, however slow its reader is. */
const longestReadingSeconds = 1800;

/**
 * Yields items that are read in one transaction, so from one snapshot of the ledger. It fetches the
 * next item while the caller works. A caller that stops early, by `break` or `return`, frees the
 * connection.
 */
export async function* readAhead<Part>(
  sql: Sql,
  partsOf: (reader: Transaction) => AsyncIterator<Part>,
): AsyncGenerator<Part, void> {
  const begun = Promise.withResolvers<Transaction>();
  const read = Promise.withResolvers<void>();
  // When the transaction does not begin, nothing waits for this promise, whose rejection would end
  // the process.
  read.promise.catch(() => undefined);
  // Not `reserve`, which never resolves when it opens a connection whose types are not fetched.
  const transaction = sql.begin('isolation level repeatable read read only', async (reader) => {
    begun.resolve(reader);
    await read.promise;
  });
  transaction.catch(begun.reject);
  try {
    const reader = await begun.promise;
    // The transaction idles between two items while the caller works.
    await reader`
      select set_config('idle_in_transaction_session_timeout', ${String(longestReadingSeconds * 1000)}, true)`;
    await allowLongStatements(reader, longestReadingSeconds);
    yield* prefetched(partsOf(reader));
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
