import { randomBytes } from 'node:crypto';
import { usernamePattern } from '@kilim/domain/people/password';
import { isTrue, type Sql } from '../../core/database/database.ts';
import { weaknessOf } from './password-strength.ts';
import { hashPassword, hasOtherCosts } from './passwords.ts';
import { recordingAccess } from './record-access.ts';

export type Account = { readonly username: string; readonly passwordHash: string };

/** Names compare in lower case, because phones begin words with a capital. */
export async function findAccount(sql: Sql, username: string): Promise<Account | undefined> {
  const name = username.trim().toLowerCase();
  if (!usernamePattern.test(name)) return undefined;
  const [row] = await sql<{ hash: string | null }[]>`select admin.password_of(${name}) as hash`;
  return typeof row?.hash === 'string' ? { username: name, passwordHash: row.hash } : undefined;
}

/** Sessions stay. A concurrent change of the password wins. */
export async function renewHash(
  { sql, now }: { readonly sql: Sql; readonly now: () => Date },
  { username, passwordHash }: Account,
  password: string,
): Promise<void> {
  if (!hasOtherCosts(passwordHash)) return;
  const renewed = await hashPassword(password);
  const account = { username, actor: `admin:${username}`, requestId: undefined } as const;
  await sql.begin((transaction) =>
    recordingAccess(
      { transaction, now },
      account,
      async () => await transaction`select admin.renew_password_hash(${username}, ${passwordHash}, ${renewed})`,
    ),
  );
}

export type FirstAdministrator = {
  readonly username: string;
  /** Absent: one is generated. */
  readonly password: string | undefined;
  readonly production: boolean;
};

/**
 * An owner, at the first start. In production the name must not be one that attackers try first. A generated password
 * must be replaced at the first sign-in, and in production any: a configured password stays in files.
 * @returns the generated password, which must be shown once; undefined when none was generated.
 * @throws Error with a sentence for the operator.
 */
export async function ensureFirstAdministrator(sql: Sql, first: FirstAdministrator): Promise<string | undefined> {
  if (await isTrue(sql`select admin.has_accounts()`)) return undefined;
  const username = first.username.toLowerCase();
  if (first.production && guessedFirst.test(username)) throw new Error(nameToChoose);
  if (first.production && first.password !== undefined) {
    const weakness = await weaknessOf(first.password, [username]);
    if (weakness !== undefined)
      throw new Error(`ADMIN_PASSWORD: ${[weakness.message, ...weakness.suggestions].join('. ')}`);
  }
  const password = first.password ?? generatePassword();
  const mustChange = first.production || first.password === undefined;
  // Of several processes that start together, only one creates the account.
  const hash = await hashPassword(password);
  const account = { username, actor: 'admin:operator', requestId: undefined } as const;
  const made = await sql.begin((transaction) =>
    recordingAccess({ transaction, now: () => new Date() }, account, () =>
      isTrue(transaction`select admin.create_first_owner(${username}, ${hash}, ${mustChange})`),
    ),
  );
  return made && first.password === undefined ? password : undefined;
}

/** ASVS 6.3.2: attackers try these names before any other. */
const guessedFirst = /^(admin|administrator|root|sa|owner|user|test|guest)$/;
const nameToChoose =
  'ADMIN_USERNAME must be the sign-in name of the first owner when NODE_ENV is production, for example the name of a person: attackers try admin, root and the like first.';

/** 140 random bits (ASVS 11.5.1 asks for 128), in groups without letters and digits that look alike. */
export function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const characters = [...randomBytes(28)].map((byte) => letters[byte % 32]).join('');
  return characters.replaceAll(/(.{4})(?=.)/g, '$1-');
}
