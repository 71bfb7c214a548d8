import type { Sql } from '../../bff/src/core/database/database.ts';

/**
 * As an attacker with all rights does. Triggers are off meanwhile and on again afterwards, so that they are no fault.
 */
export async function quietly(sql: Sql, statements: string): Promise<void> {
  await sql.begin(async (attacker) => {
    const triggers = await attacker<{ on: string; name: string }[]>`
      select tgrelid::regclass::text as on, tgname as name from pg_trigger where tgenabled = 'A'`;
    await attacker`set local session_replication_role = replica`;
    for (const { on, name } of triggers) await attacker.unsafe(`alter table ${on} disable trigger ${name}`);
    await attacker.unsafe(statements);
    for (const { on, name } of triggers) await attacker.unsafe(`alter table ${on} enable always trigger ${name}`);
  });
}
