import { differingParts } from '@kilim/domain/people/access';
import type { Sql } from '../../core/database/database.ts';
import { findAuthenticity } from '../../core/ledger/authenticity.ts';
import { accessStream } from '../../core/ledger/codecs/access.ts';
import { readStream } from '../../core/ledger/read.ts';
import { operator, recordAccess } from './record-access.ts';
import { readAccess } from './recorded-access.ts';

/**
 * Happens once for each key, for all accounts or for none. An account that differs from its last event is left out: the
 * operator has to look at it.
 */
export async function adoptAccounts({ sql, now }: { readonly sql: Sql; readonly now: () => Date }): Promise<void> {
  const authenticity = findAuthenticity(sql);
  if (authenticity === undefined) return;
  await sql.begin(async (transaction) => {
    // Servers that start together adopt one after the other.
    await transaction`select pg_advisory_xact_lock(hashtextextended('adopt accounts', 0))`;
    if (await authenticity.hasStamped(transaction, 'access-')) return;
    for (const { username } of await transaction<{ username: string }[]>`select username from admin.list_access()`) {
      const present = await readAccess(transaction, username);
      const { events } = await readStream(transaction, accessStream(username));
      const last = events.at(-1)?.event.after ?? present;
      if (present === undefined || last === undefined || differingParts(last, present).length > 0) continue;
      const by = { username, actor: operator, requestId: undefined };
      await recordAccess({ transaction, now }, by, { before: present, after: present });
    }
  });
}
