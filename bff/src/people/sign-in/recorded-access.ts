import { type Access, differingParts } from '@kilim/domain/people/access';
import type { Sql, Transaction } from '../../core/database/database.ts';
import { type Problem, Refused } from '../../core/http/problem.ts';
import { findAuthenticity } from '../../core/ledger/authenticity.ts';
import { accessSchema, accessStream } from '../../core/ledger/codecs/access.ts';

/** Somebody changed the account in the database, without a command of a server. */
class AlteredAccount extends Refused {
  constructor() {
    super(accountAltered, 'an account was changed in the database, and npm run ledger -- verify names it');
  }
}

const accountAltered: Problem = {
  status: 403,
  code: 'AccountAltered',
  message:
    'Somebody changed this account in the database. Nobody can sign in to it until the person who runs the server has checked it. Please call that person.',
};

/**
 * The last event of a server says how the account should be: its MAC is by a key that the database never sees.
 * @throws AlteredAccount
 */
export async function requireRecordedAccess(sql: Sql | Transaction, username: string): Promise<void> {
  const authenticity = findAuthenticity(sql);
  // Servers have a key. Without one, events have no MACs either.
  if (authenticity === undefined) return;
  const recorded = await authenticity.readLast(sql, accessStream(username));
  const present = await readAccess(sql, username);
  if (recorded === undefined || present === undefined || differingParts(recorded.after, present).length > 0) {
    throw new AlteredAccount();
  }
}

/** Undefined when there is no such account. */
export async function readAccess(sql: Sql | Transaction, username: string): Promise<Access | undefined> {
  const [row] = await sql`select * from admin.list_access() where username = ${username}`;
  return row === undefined ? undefined : accessSchema.parse(row);
}
