import type { Sql } from '../../database/database.ts';

type Query = { readonly text: string; readonly values: (string | number | null)[] };

/**
 * Adapts our driver to the interface of `pg`, which the package expects. Values are always
 * parameters.
 */
export function clientOver(sql: Sql) {
  return {
    query: async ({ text, values }: Query) => {
      const rows = await sql.unsafe(text, values, { prepare: true });
      return { rows: [...rows], rowCount: rows.count };
    },
  };
}
