import { type AccessChanged, differingParts } from '@kilim/domain/people/access';
import { ok } from '@kilim/domain/result';
import type { Transaction } from '../../core/database/database.ts';
import type { Actor } from '../../core/ledger/append.ts';
import { accessStream } from '../../core/ledger/codecs/access.ts';
import { handleInTransaction, streamTarget } from '../../core/ledger/handle.ts';
import { readStream } from '../../core/ledger/read.ts';
import { readAccess, requireRecordedAccess } from './recorded-access.ts';

export type ChangedAccount = {
  readonly username: string;
  readonly actor: Actor;
  readonly requestId: string | undefined;
};

/** The operator's commands on the server have no account. */
export const operator: Actor = 'admin:operator';

/**
 * One transaction, so `ledger verify` can name all other changes.
 * @throws AlteredAccount when the account was changed otherwise: a command would make that look right. Only the
 *   operator may command all the same.
 */
export async function recordingAccess<Value>(
  world: RecordingWorld,
  account: ChangedAccount,
  change: () => Promise<Value>,
): Promise<Value> {
  const { transaction } = world;
  const { username, actor } = account;
  // The append takes this lock too. Taken before the first reading, it makes concurrent commands on the account wait
  // for what the one before has left.
  await transaction`select pg_advisory_xact_lock(hashtextextended(${accessStream(username).streamId}, 0))`;
  const before = await readAccess(transaction, username);
  if (before !== undefined && actor !== operator) await requireRecordedAccess(transaction, username);
  const changed = await change();
  const after = await readAccess(transaction, username);
  if (after === undefined || (before !== undefined && differingParts(before, after).length === 0)) return changed;
  await recordAccess(world, account, { before: before ?? null, after });
  return changed;
}

type RecordingWorld = { readonly transaction: Transaction; readonly now: () => Date };

/** Records the change even if before and after are the same. */
export async function recordAccess(
  { transaction, now }: RecordingWorld,
  { username, actor, requestId }: ChangedAccount,
  change: Pick<AccessChanged, 'before' | 'after'>,
): Promise<void> {
  const kind = accessStream(username);
  const target = streamTarget(transaction, kind, () => readStream(transaction, kind));
  await handleInTransaction({ sql: transaction, now }, target, {
    actor,
    requestId,
    commandId: `access-${crypto.randomUUID()}`,
    decide: () => ok([{ type: 'AccessChanged', username, ...change }]),
  });
}
