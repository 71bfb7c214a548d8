import { parseOrderId } from '@kilim/domain/order/ids';
import { connect, type Sql } from '../../core/database/database.ts';
import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import { findPooler } from '../../core/database/find-pooler.ts';
import { migrate } from '../../core/database/migrate.ts';
import { requireDatabase } from '../../core/database/require-database.ts';
import { withSecretFiles } from '../../core/runtime/secret-files.ts';
import { eraseContact } from '../../core/use-case/erase-contact.ts';
import { peopleCommand } from '../../people/cli/people-command.ts';
import { generatePassword } from '../../people/sign-in/accounts.ts';
import { adoptAccounts } from '../../people/sign-in/adopt-accounts.ts';
import { weaknessOf } from '../../people/sign-in/password-strength.ts';
import { operatorNotes } from '../../people/sign-in/security-log.ts';
import { resetPassword } from '../../people/use-case/change-password.ts';
import { byOperator } from '../../people/use-case/record-admin-events.ts';
import { resetSecondFactor } from '../../people/use-case/second-factor.ts';
import { authenticateBesideServers } from '../../proof/authenticate-beside-servers.ts';
import { refuseWrongSession } from '../check/check-session.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';

// Commands for the operator of the server, for example when no owner can sign in.

const usage = `npm run admin -- list
  Lists the people with their roles and states.
npm run admin -- invite <username> <owner|clerk|accountant> [display name]
  Creates an account and prints a link, with which the person chooses a password within 24 hours.
npm run admin -- reset-password [username]
  Sets a temporary password and ends all sessions of the person, who chooses another password at the next sign-in.
  NEW_PASSWORD is the temporary password; without it one is generated and shown once.
npm run admin -- disable <username>
  Ends the sessions and export tokens of the person and refuses further sign-ins.
npm run admin -- enable <username>
  Lets a disabled person sign in again.
npm run admin -- set-role <username> <owner|clerk|accountant>
  Gives the person another role and ends their sessions.
npm run admin -- reset-second-factor <username>
  Removes all passkeys, one-time codes and recovery codes of a person who lost them, and ends all of their sessions.
npm run admin -- security-log [username]
  Prints the last 200 entries of the security log, or of one person, newest first.
npm run admin -- erase-contact <order id>
  Permanently erases the name, email, telephone number and address of the order's customer. Amounts and events stay.

DATABASE_URL names the database. Without it the embedded one below DATA_DIR is used; the server must be stopped then.
`;

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command === 'reset-password') return await resetPasswordOf(args[0]);
  if (command === 'reset-second-factor') return await resetSecondFactorOf(args[0]);
  if (command === 'erase-contact') return await eraseContactOf(args[0]);
  const change = peopleCommand(command, args);
  if (change !== undefined) return await withDatabase(async (sql) => say(await change({ sql, now: () => new Date() })));
  process.stdout.write(usage);
  if (command !== undefined && command !== 'help') process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function eraseContactOf(text = ''): Promise<void> {
  const orderId = parseOrderId(text);
  if (orderId === undefined) throw new Error(`${text === '' ? 'Nothing' : text} is not an order id.`);
  await withDatabase(async (sql) => {
    const world = { sql, now: () => new Date() };
    const erased = await eraseContact(world, { orderId, erasedBy: 'operator', requestId: undefined });
    if (erased === undefined) throw new Error(`There is no order ${orderId}.`);
    await operatorNotes.noteIn(sql, { kind: 'contact-erased', username: undefined, actor: 'operator', order: orderId });
    process.stdout.write(`The contact of order ${orderId} was erased by ${erased.erasedBy} at ${erased.erasedAt}.\n`);
  });
}

async function resetPasswordOf(username: string | undefined): Promise<void> {
  const wanted = process.env['NEW_PASSWORD'];
  const weakness =
    wanted === undefined ? undefined : await weaknessOf(wanted, username === undefined ? [] : [username]);
  if (weakness !== undefined) throw new Error([weakness.message, ...weakness.suggestions].join('. '));
  await withDatabase((sql) => reset(sql, { username: username ?? process.env['ADMIN_USERNAME'] ?? 'admin', wanted }));
}

async function resetSecondFactorOf(text = ''): Promise<void> {
  const username = text.trim().toLowerCase();
  if (username === '') throw new Error('Name the account: npm run admin -- reset-second-factor <username>');
  await withDatabase(async (sql) => {
    const reset = await resetSecondFactor({ sql, now: () => new Date() }, username, byOperator);
    if (reset === undefined) throw new Error(`There is no administrator ${username}.`);
    process.stdout.write(`${username} has no second factor now, and ${reset.endedSessions} sessions ended.\n`);
  });
}

type Reset = { readonly username: string; readonly wanted: string | undefined };

async function reset(sql: Sql, { username, wanted }: Reset): Promise<void> {
  const password = wanted ?? generatePassword();
  const changed = await resetPassword({ sql, now: () => new Date() }, { username, password });
  if (changed === undefined) throw new Error(`There is no active account ${username}.`);
  const told = wanted === undefined ? ` It is ${password} (shown only now).` : '';
  say(`${changed.username} has a temporary password, and ${changed.endedSessions} sessions ended.${told}`);
}

async function withDatabase(work: (sql: Sql) => Promise<void>): Promise<void> {
  const { DATABASE_URL: url } = withSecretFiles(process.env);
  if (url) return await withSql({ variable: 'DATABASE_URL', url }, work);
  const embedded = await startEmbeddedPostgres({ dataDir: process.env['DATA_DIR'] || '.data' });
  try {
    await migrate({ url: embedded.url, variable: 'DATA_DIR' });
    await withSql({ variable: 'DATA_DIR', url: embedded.url }, work);
  } finally {
    await embedded.stop();
  }
}

async function withSql(configured: DatabasePlace, work: (sql: Sql) => Promise<void>): Promise<void> {
  const place = await findPooler(configured);
  const sql = connect({ url: place.url, role: 'kilim_server', max: 1, applicationName: 'kilim admin' });
  try {
    await requireDatabase(sql, place);
    await refuseWrongSession(sql, { ...place, role: 'kilim_server' });
    const { LEDGER_SIGNING_KEY: key, DATA_DIR: dataDir } = withSecretFiles(process.env);
    await authenticateBesideServers(sql, { signingKey: key || undefined, dataDir: dataDir || '.data', shop: '' });
    // A command may be the first use of a new key.
    await adoptAccounts({ sql, now: () => new Date() });
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
