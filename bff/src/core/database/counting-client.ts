import { z } from 'zod';
import { isTrue, type Sql } from './database.ts';

type Query = { readonly name: string; readonly values: unknown };

/** Where the package keeps its counts. */
export function countsIn(sql: Sql) {
  return {
    storeClient: clientOver(sql),
    storeType: 'client',
    schemaName: 'kilim',
    tableName: 'throttle',
    tableCreated: true,
  };
}

/** Servers have no rights on the table of counts, so each statement of the package becomes a call of a function. */
function clientOver(sql: Sql) {
  const count = countingTogether(sql);
  return {
    query: async ({ name, values }: Query) => {
      switch (name) {
        case 'throttle:rlflx-upsert':
          return await count(upsert.parse(values));
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

type Counted = { readonly rows: readonly unknown[]; readonly rowCount: number };
type Waiting = {
  readonly values: z.infer<typeof upsert>;
  readonly answer: (counted: Counted) => void;
  readonly fail: (error: unknown) => void;
};

/** Counts that are asked for at the same moment share a statement. Sorted, because servers lock the same rows. */
function countingTogether(sql: Sql): (values: Waiting['values']) => Promise<Counted> {
  let waiting: Waiting[] = [];
  const countAll = async () => {
    const asked = waiting.toSorted(({ values: [one] }, { values: [other] }) => (one < other ? -1 : 1));
    waiting = [];
    const counts = asked.map(({ values: [key, times, expire, now] }, at) => ({ at, key, times, expire, now }));
    try {
      const rows = await sql<{ points: number; expire: number }[]>`
        select counted.points, counted.expire
        from json_to_recordset(${JSON.stringify(counts)}::text::json)
            asked (at integer, key text, times integer, expire bigint, now bigint),
          kilim.count_requests(asked.key, asked.times, asked.expire, asked.now) counted
        order by asked.at`;
      for (const [at, { answer }] of asked.entries()) answer({ rows: rows.slice(at, at + 1), rowCount: 1 });
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  };
  return async (values) =>
    await new Promise((answer, fail) => {
      if (waiting.length === 0) setImmediate(() => void countAll());
      waiting.push({ values, answer, fail });
    });
}

async function forget(sql: Sql, values: unknown) {
  const [key] = remove.parse(values);
  return { rows: [], rowCount: (await isTrue(sql`select kilim.forget_count(${key})`)) ? 1 : 0 };
}
