import type { PendingQuery, Row } from 'postgres';

/**
 * The internals of a statement of postgres.js: `handle` starts it, `resolve` ends it with its rows, and a cursor passes
 * each part of them to `cursorFn`.
 */
type Statement = {
  readonly executed: boolean;
  resolve: (rows: unknown) => void;
  cursorFn?: (rows: unknown) => unknown;
  handle: () => unknown;
};

const mended = new WeakSet<object>();

/** See `README.md`. */
export function dropLeadingHoles(anyStatement: PendingQuery<Row[]>): void {
  const statements = Object.getPrototypeOf(anyStatement) as Statement;
  if (mended.has(statements)) return;
  mended.add(statements);
  const { handle } = statements;
  statements.handle = function (this: Statement) {
    if (!this.executed) {
      const { resolve, cursorFn } = this;
      this.resolve = (rows) => resolve(withoutGap(rows));
      // Only the first part can have holes. A cursor sets a new function for each later part.
      if (cursorFn !== undefined) this.cursorFn = (rows) => cursorFn(withoutGap(rows));
    }
    return handle.call(this);
  };
}

/** @returns the same array: it carries the properties of an answer. */
function withoutGap(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  let gap = 0;
  while (gap < rows.length && !(gap in rows)) gap += 1;
  if (gap > 0) rows.splice(0, gap);
  return rows;
}
