import postgres from 'postgres';
import { connect, servingLimits, sessionSettings, type Transaction } from './database.ts';
import { literal } from './values.ts';

/**
 * A pooler drops a session's parameters, so the login gets them. Open sessions keep theirs.
 * @param url the owner's address.
 * @throws Error with a sentence when the login is absent or is the owner.
 */
export async function prepareLogin(url: string, login: string): Promise<readonly string[]> {
  return await asOwner(url, login, (transaction) => prepare(transaction, login));
}

/**
 * Makes an existing login that of the nightly `npm run ledger -- verify`: it may read the ledger, and store the result.
 *
 * @param url the owner's address.
 * @throws Error with a sentence when the login is absent.
 */
export async function prepareVerifier(url: string, login: string): Promise<readonly string[]> {
  await asOwner(url, login, (transaction) => transaction`grant kilim_verifier to ${transaction(login)}`);
  return [`The login ${login} may verify the ledger.`];
}

async function asOwner<Done>(url: string, login: string, work: (transaction: Transaction) => Promise<Done>) {
  const sql = connect({ url, max: 1, applicationName: 'kilim migrate' });
  try {
    return await sql.begin(work);
  } catch (error) {
    const code = error instanceof postgres.PostgresError ? error.code : undefined;
    const sentence = code === undefined ? undefined : sentences[code];
    if (sentence === undefined) throw error;
    throw new Error(sentence(login), { cause: error });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const sentences: Readonly<Record<string, (login: string) => string>> = {
  '42704': (login) => `There is no login ${login}. Create it first: create role ${login} login password '...'.`,
  '42501': (login) =>
    `The owner may not alter the login ${login}. Let the owner create the login, or as the role that created it: grant "${login}" to the owner with admin option.`,
};

async function prepare(transaction: Transaction, login: string): Promise<readonly string[]> {
  const [here] = await transaction<{ user: string; database: string }[]>`
    select session_user::text as user, current_database()::text as database`;
  if (here === undefined || here.user === login) {
    throw new Error(`${login} is the login of the owner. Give the servers a login of their own.`);
  }
  await transaction`grant kilim_server to ${transaction(login)}`;
  for (const [name, value] of Object.entries(sessionSettings({ ...servingLimits, role: 'kilim_server' }))) {
    await transaction`
      alter role ${transaction(login)} in database ${transaction(here.database)}
        set ${transaction(name)} = ${transaction.unsafe(literal(String(value)))}`;
  }
  return [`The login ${login} has the rights and the settings of a server.`];
}
