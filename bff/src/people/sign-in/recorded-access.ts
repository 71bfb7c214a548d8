import { type Access, differingParts } from '@kilim/domain/admin/access';
import type { Sql, Transaction } from '../../core/database/database.ts';
import { accessSchema, accessStream } from '../../core/ledger/codecs/access.ts';
import { readAuthenticEvent } from '../../proof/authentic-event.ts';
import { findMacKey } from '../../proof/event-mac.ts';

/** Somebody changed the account in the database, without a command of a server. */
export class AlteredAccount extends Error {}

/**
 * The last event of a server says how the account should be: its MAC is by a key that the database never sees.
 * @throws AlteredAccount
 */
export async function requireRecordedAccess(sql: Sql | Transaction, username: string): Promise<void> {
  const key = findMacKey(sql);
  // Servers have a key. Without one, events have no MACs either.
  if (key === undefined) return;
  const recorded = await readAuthenticEvent(sql, accessStream(username), key);
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
