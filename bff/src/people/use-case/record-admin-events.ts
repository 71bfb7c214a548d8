import type { AdminEvent } from '@kilim/domain/people/people';
import { securityEventOf } from '@kilim/domain/people/security-log';
import { ok } from '@kilim/domain/result';
import type { Transaction } from '../../core/database/database.ts';
import type { SecurityNotes } from '../../core/http/proven.ts';
import type { Actor } from '../../core/ledger/append.ts';
import { adminCodec } from '../../core/ledger/codecs/admin.ts';
import { handleInTransaction, streamTarget } from '../../core/ledger/handle.ts';
import { readStream } from '../../core/ledger/read.ts';
import { operator } from '../sign-in/record-access.ts';
import { operatorNotes } from '../sign-in/security-log.ts';

export type Commanded = {
  readonly actor: Actor;
  readonly requestId: string | undefined;
  /** Absent: a command on the server. */
  readonly security?: Pick<SecurityNotes, 'noteIn'> | undefined;
};

export const byOperator: Commanded = { actor: operator, requestId: undefined };

/** In one transaction with the security log: no change is without its entry. */
export async function recordAdminEvents(
  { transaction, now }: { readonly transaction: Transaction; readonly now: () => Date },
  [first, ...more]: readonly [AdminEvent, ...AdminEvent[]],
  { actor, requestId, security = operatorNotes }: Commanded,
): Promise<void> {
  const kind = { streamId: `admin-${first.username}`, codec: adminCodec };
  const target = streamTarget(transaction, kind, () => readStream(transaction, kind));
  await handleInTransaction({ sql: transaction, now }, target, {
    actor,
    requestId,
    commandId: `account-${crypto.randomUUID()}`,
    decide: () => ok([first, ...more]),
  });
  const by = actor.replace(/^admin:/, '');
  for (const event of [first, ...more]) {
    const { username } = event;
    await security.noteIn(transaction, {
      ...securityEventOf(event),
      username,
      actor: by === username ? undefined : by,
    });
  }
}
