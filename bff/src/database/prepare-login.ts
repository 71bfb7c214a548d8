import postgres from 'postgres';
import { literal } from './copy/sql-literal.ts';
import { connect, servingLimits, sessionSettings, type Transaction } from './database.ts';

/**
 * Makes an existing login the server's: grants it the rights of `kilim_app`, and sets what each of
 * its sessions needs, because a pooler drops the parameters of a session. Open sessions keep their
 * settings.
 * @param url the owner's address.
 * @throws Error with a sentence when the login is absent or is the owner.
 */
export async function prepareLogin(url: string, login: string): Promise<void> {
  const sql = connect({ url, max: 1, applicationName: 'kilim migrate' });
  try {
    await sql.begin((transaction) => prepare(transaction, login));
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== '42704') throw error;
    throw new Error(`There is no login ${login}. Create it first: create role ${login} login password '...'.`, {
      cause: error,
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function prepare(transaction: Transaction, login: string): Promise<void> {
  const [here] = await transaction<{ user: string; database: string }[]>`
    select session_user::text as user, current_database()::text as database`;
  if (here === undefined || here.user === login) {
    throw new Error(`${login} is the login of the owner. Give the servers a login of their own.`);
  }
  await transaction`grant kilim_app to ${transaction(login)}`;
  for (const [name, value] of Object.entries(sessionSettings({ ...servingLimits, role: 'kilim_app' }))) {
    await transaction`
      alter role ${transaction(login)} in database ${transaction(here.database)}
        set ${transaction(name)} = ${transaction.unsafe(literal(String(value)))}`;
  }
}
