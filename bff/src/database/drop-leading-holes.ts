import type { PendingQuery, Row } from 'postgres';

/**
 * The internals of a statement of postgres.js: `handle` starts it, and `resolve` ends it with its
 * rows.
 */
type Statement = {
  readonly executed: boolean;
  resolve: (rows: unknown) => void;
  handle: () => unknown;
};

const mended = new WeakSet<object>();

/** Removes holes before the first row from every answer; see `postgres-js.md`. */
export function dropLeadingHoles(anyStatement: PendingQuery<Row[]>): void {
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
