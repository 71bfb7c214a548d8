import { differingParts } from '@kilim/domain/admin/access';
import { ok } from '@kilim/domain/result';
import type { Sql } from '../database/database.ts';
import { accessStream } from '../ledger/codecs/access.ts';
import { findMacKey } from '../ledger/event-mac.ts';
import { handleInTransaction, streamTarget } from '../ledger/handle.ts';
import { readStream } from '../ledger/read.ts';
import { operator } from './record-access.ts';
import { readAccess } from './recorded-access.ts';

/**
 * Records with a new signing key how the accounts of the database may sign in. It happens once for each key, at the
 * first start with it, so nobody can have an account adopted later. An account that differs from its last event is left
 * out: nobody signs in to it until the operator has looked at it.
 */
export async function adoptAccounts({ sql, now }: { readonly sql: Sql; readonly now: () => Date }): Promise<void> {
  const key = findMacKey(sql);
  if (key === undefined) return;
  const [row] = await sql<{ began: boolean }[]>`
    select exists (
      select from ledger.command where stream_id like 'access-%' and substr(macs, 1, ${key.id.length}) = ${key.id}
    ) as began`;
  if (row?.began === true) return;
  const accounts = await sql<{ username: string }[]>`select username from admin.list_access()`;
  for (const { username } of accounts) await adopt({ sql, now }, username);
}

async function adopt({ sql, now }: { readonly sql: Sql; readonly now: () => Date }, username: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const kind = accessStream(username);
    const target = streamTarget(transaction, kind, () => readStream(transaction, kind));
    const present = await readAccess(transaction, username);
    if (present === undefined) return;
    await handleInTransaction({ sql: transaction, now }, target, {
      actor: operator,
      requestId: undefined,
      commandId: `access-${crypto.randomUUID()}`,
      decide: ({ events }) => {
        const last = events.at(-1)?.event.after ?? present;
        const isRecorded = differingParts(last, present).length === 0;
        return ok(isRecorded ? [{ type: 'AccessChanged', username, before: present, after: present }] : []);
      },
    });
  });
}
