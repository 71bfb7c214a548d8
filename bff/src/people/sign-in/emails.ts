import { isTrue, type Sql, type Transaction } from '../../core/database/database.ts';

export type AccountEmail = {
  readonly email: string;
  /** False: the address before a change of the last seven days. Mails go to both. */
  readonly isCurrent: boolean;
};

export async function emailsOf(sql: Sql, username: string): Promise<readonly AccountEmail[]> {
  return await sql<AccountEmail[]>`select email, is_current as "isCurrent" from admin.emails_of(${username})`;
}

/** @param email undefined removes it. @returns false when it is the same. */
export async function setEmail(sql: Transaction, username: string, email: string | undefined): Promise<boolean> {
  return await isTrue(sql`select admin.set_email(${username}, ${email ?? null})`);
}
