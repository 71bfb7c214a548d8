import postgres, { type TransactionSql } from 'postgres';

type Begin = (...given: readonly unknown[]) => Promise<unknown>;
type Work = (transaction: TransactionSql) => unknown;

/**
 * Lets transactions of this pool end well when their connection is lost. postgres.js 3.4.9 says at once that one has failed, but leaves its work
 * running, and then sends its statements, its `rollback` or its `commit` to a connection that is gone, which ends the process and blocks the place
 * in the pool (its issues 1066 and 1208), or to the one that took its place, outside of any transaction (1155). Here nothing more is sent for a
 * transaction that is over, and work whose connection has ended comes to no end of its own.
 */
export function outliveLostTransactions(pool: { readonly begin: unknown }): void {
  const begin = pool.begin as Begin;
  const beginOnce: Begin = async (...given) => {
    const work = given.at(-1) as Work;
    let isOver = false;
    try {
      return await begin(...given.slice(0, -1), async (transaction: TransactionSql) => {
        const ended = Promise.withResolvers<unknown>();
        // An instant later: by then a connection that was lost is known to be.
        const unlessOver = (end: () => void) => setImmediate(() => (isOver ? undefined : end()));
        Promise.resolve(work(sendingUnless(() => isOver, transaction))).then(
          (value) => unlessOver(() => ended.resolve(value)),
          (error: unknown) => (endsConnection(error) ? undefined : unlessOver(() => ended.reject(error))),
        );
        return await ended.promise;
      });
    } finally {
      isOver = true;
    }
  };
  Object.assign(pool, { begin: beginOnce });
}

function sendingUnless(isOver: () => boolean, transaction: TransactionSql): TransactionSql {
  const refuseWhenOver = () => {
    if (!isOver()) return;
    throw Object.assign(new Error('The connection of this transaction is gone'), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(transaction, {
    apply: (target, self, given) => {
      refuseWhenOver();
      return Reflect.apply(target, self, given) as unknown;
    },
    get: (target, name) => {
      if (name === 'unsafe') refuseWhenOver();
      return Reflect.get(target, name) as unknown;
    },
  });
}

/** What the server says with its last word, or the connection itself; postgres.js adds the statement, by which it differs from other pipes. */
function endsConnection(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return error.severity_local === 'FATAL' || error.severity === 'FATAL';
  if (!(error instanceof Error) || !('query' in error) || !('code' in error)) return false;
  return /^(CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ERR_STREAM|ERR_SOCKET)/.test(String(error.code));
}
