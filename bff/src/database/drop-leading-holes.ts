import type { PendingQuery, Row } from 'postgres';

/** What we know of a statement of postgres.js from inside: it is started by `handle`, and ended by `resolve` with its rows. */
type Statement = {
  readonly executed: boolean;
  resolve: (rows: unknown) => void;
  handle: () => unknown;
};

const mended = new WeakSet<object>();

/**
 * A statement that fails half-way through its rows, by an error, a time-out or a broken connection, leaves their number behind in postgres.js
 * 3.4.9 (its issues 1119 and 1181), and the next one on that connection gets its rows behind as many holes: whoever looks at its
 * first row sees none, and takes a session that exists for one that does not. Here the holes are taken out of every answer.
 */
export function takeHolesOutOfRows(anyStatement: PendingQuery<Row[]>): void {
  const statements = Object.getPrototypeOf(anyStatement) as Statement;
  if (mended.has(statements)) return;
  mended.add(statements);
  const { handle } = statements;
  statements.handle = function (this: Statement) {
    if (!this.executed) {
      const { resolve } = this;
      this.resolve = (rows) => {
        if (Array.isArray(rows)) closeGap(rows);
        resolve(rows);
      };
    }
    return handle.call(this);
  };
}

function closeGap(rows: unknown[]): void {
  let gap = 0;
  while (gap < rows.length && !(gap in rows)) gap += 1;
  if (gap > 0) rows.splice(0, gap);
}
