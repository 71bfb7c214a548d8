import { z } from 'zod';
import type { Sql } from './database.ts';

type Query = { readonly name: string; readonly values: unknown };

/** Servers have no rights on the table of counts, so each statement of the package becomes a call of a function. */
export function clientOver(sql: Sql) {
  return {
    query: async ({ name, values }: Query) => {
      switch (name) {
        case 'throttle:rlflx-upsert':
          return await count(sql, values);
        case 'throttle:rlflx-delete':
          return await forget(sql, values);
        case 'throttle:rlflx-clear-expired':
          await sql`select kilim.forget_expired_counts()`;
          return { rows: [], rowCount: 0 };
        default:
          throw new Error(`The throttle has no statement ${name}`);
      }
    },
  };
}

/** Instants are milliseconds since 1970. */
const upsert = z.tuple([z.string(), z.number(), z.number(), z.number()]);
const remove = z.tuple([z.string()]);

async function count(sql: Sql, values: unknown) {
  const [key, times, expire, now] = upsert.parse(values);
  const rows = await sql<{ points: number; expire: number }[]>`
    select points, expire from kilim.count_requests(${key}, ${times}::int, ${expire}::bigint, ${now}::bigint)`;
  return { rows: [...rows], rowCount: rows.length };
}

async function forget(sql: Sql, values: unknown) {
  const [key] = remove.parse(values);
  const [row] = await sql<{ forgotten: boolean }[]>`select kilim.forget_count(${key}) as forgotten`;
  return { rows: [], rowCount: row?.forgotten === true ? 1 : 0 };
}
