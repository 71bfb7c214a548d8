import type { Sql } from '../../../bff/src/core/database/database.ts';
import { repeatWhileAway } from '../../../bff/src/core/database/repeat-while-away.ts';
import type { Person } from './customer.ts';
import { secretsOf } from './people.ts';
import type { Stage } from './stage.ts';

export type Written = { readonly where: string; readonly text: string };

/** A card token or a person's name, e-mail, phone or address. */
export function leaksIn(written: readonly Written[], people: readonly Person[]): readonly string[] {
  const secrets = [...new Set([...people.flatMap(secretsOf), 'cnon:'])];
  return written.flatMap(({ where, text }) => {
    const lower = text.toLowerCase();
    const leaked = secrets.filter((secret) => lower.includes(secret.toLowerCase()));
    return leaked.map((secret) => `${where} holds ${JSON.stringify(secret)}`);
  });
}

/** All logs, answers and addresses of requests to Square, and all tables but `customer_contact`. */
export async function everythingWritten(stage: Stage): Promise<readonly Written[]> {
  const requests = await stage.square.requests();
  return [
    { where: 'a log', text: stage.output() },
    { where: 'an answer', text: stage.answers.join('\n') },
    { where: 'an address at Square', text: requests.map(({ path, query }) => `${path}?${query}`).join('\n') },
    ...(await tablesOf(stage.ownerSql)),
  ];
}

async function tablesOf(ownerSql: Sql): Promise<readonly Written[]> {
  const tables = await repeatWhileAway(
    () => ownerSql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'customer_contact'`,
  );
  return Promise.all(
    tables.map(async ({ name }) => {
      // A pooled connection may report an earlier break only at this statement.
      const rows = await repeatWhileAway(() =>
        ownerSql.unsafe<{ text: string }[]>(`select t::text as text from ${name} t`),
      );
      return { where: name, text: rows.map(({ text }) => text).join('\n') };
    }),
  );
}
