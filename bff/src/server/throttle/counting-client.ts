import type { Sql } from '../../database/database.ts';

type Query = { readonly text: string; readonly values: (string | number | null)[] };

/** The package knows the client `pg`; this answers in its way. The statements are constants: what varies is sent beside them. */
export function clientOver(sql: Sql) {
  return {
    query: async ({ text, values }: Query) => {
      const rows = await sql.unsafe(text, values, { prepare: true });
      return { rows: [...rows], rowCount: rows.count };
    },
  };
}
