import type { SigningKeyPlace } from '../core/cli/command.ts';
import { isTrue, type Sql } from '../core/database/database.ts';
import { authenticateAppends } from './authentic-event.ts';
import { macKeyOf } from './event-mac.ts';
import { findSigningKey } from './signing-key.ts';

/**
 * @throws Error with a sentence when servers make MACs and this command lacks the key: its events would look forged
 *   for ever.
 */
export async function authenticateBesideServers(sql: Sql, place: SigningKeyPlace): Promise<void> {
  const signer = await findSigningKey(place);
  if (signer !== undefined) authenticateAppends(sql, macKeyOf(signer));
  else if (await hasMacs(sql)) {
    throw new Error(
      'Each event of this ledger has a MAC, and the key for it is missing here: set LEDGER_SIGNING_KEY as for the servers, or DATA_DIR to the directory that holds their key.',
    );
  }
}

async function hasMacs(sql: Sql): Promise<boolean> {
  return await isTrue(sql`select exists (select from ledger.command where stamp is not null)`);
}
