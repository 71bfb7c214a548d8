import postgres, { type TransactionSql } from 'postgres';

type Begin = (...given: readonly unknown[]) => Promise<unknown>;
type Work = (transaction: TransactionSql) => unknown;

const pools = new WeakMap<object, object>();

/** The pool of a transaction; a pool is its own. */
export function poolOf(sql: object): object {
  return pools.get(sql) ?? sql;
}

/** See `README.md`: sends nothing more for a transaction that is over. */
export function guardTransactions(pool: { readonly begin: unknown }): void {
  const begin = pool.begin as Begin;
  const beginOnce: Begin = async (...given) => {
    const work = given.at(-1) as Work;
    let isOver = false;
    try {
      return await begin(...given.slice(0, -1), async (transaction: TransactionSql) => {
        const ended = Promise.withResolvers<unknown>();
        // One turn later, a lost connection is known to be lost.
        const unlessOver = (end: () => void) => setImmediate(() => (isOver ? undefined : end()));
        const guarded = sendingUnless(() => isOver, transaction);
        pools.set(guarded, pool);
        Promise.resolve(work(guarded)).then(
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

/**
 * A fatal error of the server, or of the connection. postgres.js adds the statement to it, unlike
 * to errors of other pipes.
 */
function endsConnection(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return error.severity_local === 'FATAL' || error.severity === 'FATAL';
  if (!(error instanceof Error) || !('query' in error) || !('code' in error)) return false;
  return /^(CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ERR_STREAM|ERR_SOCKET)/.test(String(error.code));
}
