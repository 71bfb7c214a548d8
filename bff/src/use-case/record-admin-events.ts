import type { AdminEvent } from '@kilim/domain/admin/people';
import { ok } from '@kilim/domain/result';
import type { Transaction } from '../database/database.ts';
import type { Actor } from '../ledger/append.ts';
import { adminCodec } from '../ledger/codecs/admin.ts';
import { handleInTransaction, streamTarget } from '../ledger/handle.ts';
import { readStream } from '../ledger/read.ts';

/** Who commands, and with which request. */
export type Commanded = { readonly actor: Actor; readonly requestId: string | undefined };

/** The operator's commands on the server have no account. */
export const byOperator: Commanded = { actor: 'admin:operator', requestId: undefined };

/** Records events about one account in the transaction that changes the account. */
export async function recordAdminEvents(
  { transaction, now }: { readonly transaction: Transaction; readonly now: () => Date },
  [first, ...more]: readonly [AdminEvent, ...AdminEvent[]],
  commanded: Commanded,
): Promise<void> {
  const kind = { streamId: `admin-${first.username}`, codec: adminCodec };
  const target = streamTarget(transaction, kind, () => readStream(transaction, kind));
  await handleInTransaction({ sql: transaction, now }, target, {
    ...commanded,
    commandId: `account-${crypto.randomUUID()}`,
    decide: () => ok([first, ...more]),
  });
}
