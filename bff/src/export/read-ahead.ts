import { prefetched } from '../database/copy/prefetched.ts';
import { allowLongStatements, type Sql, type Transaction } from '../database/database.ts';

/** What one reading may take altogether, however slowly its reader takes it. */
const longestReadingSeconds = 1800;

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
      select set_config('idle_in_transaction_session_timeout', ${String(longestReadingSeconds * 1000)}, true)`;
    await allowLongStatements(reader, longestReadingSeconds);
    yield* prefetched(partsOf(reader));
  } catch (error) {
    // A connection that is gone gets no commit.
    read.reject(error);
    throw error;
  } finally {
    read.resolve();
    // What went wrong was said where the rows were read.
    await transaction.catch(() => undefined);
  }
}
