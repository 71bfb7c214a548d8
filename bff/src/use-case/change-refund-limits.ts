import {
  decideLimits,
  type RefundLimits,
  type RefundLimitsChanged,
  type RefundLimitsRejection,
  raised,
  type VersionedRefundLimits,
} from '@kilim/domain/admin/refund-limits';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { refundLimitsCodec, refundLimitsStream } from '../ledger/codecs/refund-limits.ts';
import { handle, streamTarget } from '../ledger/handle.ts';
import { canonicalJson, sha256 } from '../ledger/hash.ts';
import { readRefundLimits } from '../queries/refund-limits.ts';
import { hasProvenWithin, type ProvenSession } from '../sign-in/sessions.ts';

export type ChangeRefundLimits = {
  readonly limits: RefundLimits;
  readonly expectedVersion: number;
  readonly requestId: string;
};

export type ChangeRefundLimitsRejection =
  | RefundLimitsRejection
  /** A limit is raised, and the owner has not proven who they are just now. */
  | { readonly code: 'ProofRequired' };

/** A stolen session must not raise the limits that protect against stolen sessions. */
const proofSeconds = 60;

export async function changeRefundLimits(
  world: { readonly sql: Sql; readonly now: () => Date },
  { id: sessionId, username }: ProvenSession,
  { limits, expectedVersion, requestId }: ChangeRefundLimits,
): Promise<Result<VersionedRefundLimits, ChangeRefundLimitsRejection>> {
  const { sql } = world;
  const read = () => readRefundLimits(sql);
  const isProven = await repeatWhileAway(() => hasProvenWithin(sql, sessionId, proofSeconds));
  const kind = { streamId: refundLimitsStream, codec: refundLimitsCodec };
  const content = sha256(canonicalJson([sessionId, limits])).toString('hex');
  const handled = await handle(world, streamTarget(sql, kind, read), {
    // The same save, sent again, records nothing.
    commandId: `refund-limits-${expectedVersion + 1}-${content}`,
    actor: `admin:${username}`,
    requestId,
    decide: (current): Result<readonly RefundLimitsChanged[], ChangeRefundLimitsRejection> => {
      if (!isProven && raised(current.limits, limits).length > 0) return rejected({ code: 'ProofRequired' });
      const decision = decideLimits({ limits, expectedVersion, by: username }, current);
      if (!decision.ok) return decision;
      return ok(decision.value === undefined ? [] : [decision.value]);
    },
  });
  if (handled.outcome === 'refused') return rejected(handled.rejection);
  return ok(await repeatWhileAway(read));
}
