import { differenceOf, type MeasuredRefund, measuredRefund } from '@kilim/domain/intake/difference';
import type { Seen } from '@kilim/domain/intake/intake';
import type { PaymentId } from '@kilim/domain/order/ids';
import type { RefundingRole } from '@kilim/domain/people/refund-limits';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { canonicalJson, sha256 } from '../../core/ledger/hash.ts';
import type { OrderStream } from '../../core/ledger/read.ts';
import { type RequestedRefund, requestRefund } from '../../core/use-case/request-refund.ts';
import type { World } from '../../core/use-case/world.ts';
import { familyOf, type ReadFamily } from '../family.ts';
import type { IntakeWorld } from './record-step.ts';

export type RefundMeasured = {
  readonly known: ReadFamily;
  /** What the person saw: the shop owes this amount. */
  readonly seen: Seen;
  readonly by: string;
  readonly role: RefundingRole;
  readonly requestId: string | undefined;
};

type Rejected = Extract<RequestedRefund, { readonly kind: 'rejected' }>;

export type RefundMeasuredRejection = { readonly code: 'DifferenceChanged' } | Rejected;

/** The refund's id follows from the measurement, so that two people make one refund. */
export async function refundMeasured(
  world: IntakeWorld & { readonly world: World },
  { known, seen, by, role, requestId }: RefundMeasured,
): Promise<Result<undefined, RefundMeasuredRejection>> {
  if (isSettled(known, seen)) return ok(undefined);
  const askedAt = world.now().toISOString();
  const offered = offeredRefund(known, seen, askedAt);
  if (offered === undefined) return rejected({ code: 'DifferenceChanged' });
  const { refundId, amount, reason, charges, deliveryMinimum } = offered.refund;
  const asked = { amount, reason, charges, deliveryMinimum };
  const requested = await requestRefund(world.world, {
    ...asked,
    ...{ refundId, role, requestId, requestedBy: by, timeZone: world.timeZone },
    paymentId: offered.paymentId,
    requestHash: sha256(canonicalJson(asked)),
    refundType: 'partial',
    notes: undefined,
    items: [],
    isStillDue: (stream) => offeredRefund(withStream(known, stream), seen, askedAt)?.refund.refundId === refundId,
  });
  return requested.kind === 'refund' ? ok(undefined) : rejected(requested);
}

/** Another person was quicker. */
function isSettled({ family, rates }: ReadFamily, { measurement }: Seen): boolean {
  const difference = differenceOf(family, rates);
  return difference?.measurement.number === measurement && difference.due === 0;
}

type Offered = { readonly refund: MeasuredRefund; readonly paymentId: PaymentId };

function offeredRefund({ family, rates }: ReadFamily, seen: Seen, askedAt: string): Offered | undefined {
  const difference = differenceOf(family, rates);
  if (difference === undefined || difference.measurement.number !== seen.measurement) return undefined;
  const refund = measuredRefund(family, difference, askedAt);
  if (refund === undefined || refund.amount !== seen.amount) return undefined;
  const money = family.supplements.get(refund.orderId) ?? family.order;
  const { captured } = money.refunds;
  return captured && { refund, paymentId: captured.paymentId };
}

function withStream(read: ReadFamily, newer: OrderStream): ReadFamily {
  const stream = newer.orderId === read.stream.orderId ? newer : read.stream;
  const supplements = read.supplements.map((each) => (each.orderId === newer.orderId ? newer : each));
  return { ...read, stream, supplements, family: familyOf(stream, supplements) };
}
