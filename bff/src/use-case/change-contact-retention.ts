import { type ContactRetention, decideRetention, type RetentionRejection } from '@kilim/domain/admin/contact-retention';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { contactRetentionCodec, contactRetentionStream } from '../ledger/codecs/contact-retention.ts';
import { handle, streamTarget } from '../ledger/handle.ts';
import { readContactRetention } from '../queries/contact-retention.ts';
import type { ProvenSession } from '../sign-in/sessions.ts';

export type ChangeContactRetention = {
  readonly months: number | null;
  readonly expectedVersion: number;
  readonly requestId: string;
};

export async function changeContactRetention(
  world: { readonly sql: Sql; readonly now: () => Date },
  { id: sessionId, username }: ProvenSession,
  { months, expectedVersion, requestId }: ChangeContactRetention,
): Promise<Result<ContactRetention, RetentionRejection>> {
  const read = () => readContactRetention(world.sql);
  const kind = { streamId: contactRetentionStream, codec: contactRetentionCodec };
  const handled = await handle(world, streamTarget(world.sql, kind, read), {
    // The same save, sent again, records nothing.
    commandId: `contact-retention-${expectedVersion + 1}-${months ?? 'kept'}-${sessionId}`,
    actor: `admin:${username}`,
    requestId,
    decide: (current) => decideRetention({ months, expectedVersion, by: username }, current),
  });
  return handled.outcome === 'refused' ? rejected(handled.rejection) : ok(await repeatWhileAway(read));
}
