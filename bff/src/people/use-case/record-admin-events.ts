import type { AdminEvent } from '@kilim/domain/people/people';
import { securityEventOf } from '@kilim/domain/people/security-log';
import { ok } from '@kilim/domain/result';
import type { Transaction } from '../../core/database/database.ts';
import { inTime } from '../../core/database/repeat-while-away.ts';
import type { SecurityNotes } from '../../core/http/proven.ts';
import type { Actor } from '../../core/ledger/append.ts';
import { adminCodec } from '../../core/ledger/codecs/admin.ts';
import { type HandleWorld, handleInTransaction, streamTarget } from '../../core/ledger/handle.ts';
import { readStream } from '../../core/ledger/read.ts';
import { operator, recordingAccess } from '../sign-in/record-access.ts';
import { operatorNotes } from '../sign-in/security-log.ts';

export type Commanded = {
  readonly actor: Actor;
  readonly requestId: string | undefined;
  /** Absent: a command on the server. */
  readonly security?: Pick<SecurityNotes, 'noteIn'> | undefined;
};

export const byOperator: Commanded = { actor: operator, requestId: undefined };

type Events = readonly [AdminEvent, ...AdminEvent[]];

/** All or nothing, with the events that the work records. */
export async function changingAccount<Value>(
  { sql, now }: HandleWorld,
  { username, ...commanded }: Commanded & { readonly username: string },
  work: (transaction: Transaction, record: (...events: Events) => Promise<void>) => Promise<Value>,
): Promise<Value> {
  const changed = sql.begin((transaction) =>
    recordingAccess({ transaction, now }, { username, ...commanded }, () =>
      work(transaction, (...events) => recordAdminEvents({ transaction, now }, events, commanded)),
    ),
  );
  // postgres.js types the result as one that unwraps arrays of queries.
  return (await inTime(changed)) as Value;
}

/** In one transaction with the security log: no change is without its entry. */
async function recordAdminEvents(
  { transaction, now }: { readonly transaction: Transaction; readonly now: () => Date },
  [first, ...more]: Events,
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
