import type { Cents } from '../money.ts';
import { ok, type Result } from '../result.ts';
import { unreachable } from '../unreachable.ts';

// How people resolved differences between the ledger, its lists and Square. The events have a
// stream of their own, because servers of the previous release cannot read them.

/** Why a difference needs nothing more, in a short list so that no free text enters the ledger. */
export const resolutionReasons = [
  'SettledAtSquare',
  'BookedByAccountant',
  'AgreedWithCustomer',
  'TestPayment',
  'TooSmall',
] as const;
export type ResolutionReason = (typeof resolutionReasons)[number];

/** A difference by its kind, Square's id and its amount. Another amount is another difference. */
export type DifferenceKey = {
  readonly code: string;
  readonly squareId: string;
  /** The stated amount of the difference. No money moves. */
  readonly stated: Cents;
};

/** A person looked into a difference, and nothing more has to be done. It leaves the list. */
export type DifferenceExplained = DifferenceKey & {
  readonly type: 'DifferenceExplained';
  readonly reason: ResolutionReason;
  /** The sign-in name of the person. */
  readonly by: string;
};

/**
 * A person decided to refund the rest of an orphan payment. This is the intent; Square's refund
 * becomes `OrphanPaymentReturned`.
 */
export type OrphanRefundRequested = {
  readonly type: 'OrphanRefundRequested';
  readonly squarePaymentId: string;
  /** The amount that Square is asked to refund. */
  readonly stated: Cents;
  readonly reason: ResolutionReason;
  readonly by: string;
};

export type ResolutionEvent = DifferenceExplained | OrphanRefundRequested;

export type Resolutions = {
  /** The version of the stream; 0 before the first event. */
  readonly version: number;
  readonly explained: ReadonlyMap<string, DifferenceExplained>;
  readonly refunds: ReadonlyMap<string, OrphanRefundRequested>;
};

export const nothingResolved: Resolutions = { version: 0, explained: new Map(), refunds: new Map() };

export function evolve(state: Resolutions, event: ResolutionEvent): Resolutions {
  const version = state.version + 1;
  switch (event.type) {
    case 'DifferenceExplained':
      return { ...state, version, explained: new Map(state.explained).set(keyOf(event), event) };
    case 'OrphanRefundRequested':
      return { ...state, version, refunds: new Map(state.refunds).set(refundKeyOf(event), event) };
    default:
      return unreachable(event);
  }
}

/** Records a resolution once: a repeated click records nothing. */
export function decide(event: ResolutionEvent, state: Resolutions): Result<readonly ResolutionEvent[], never> {
  const isKnown =
    event.type === 'DifferenceExplained' ? state.explained.has(keyOf(event)) : state.refunds.has(refundKeyOf(event));
  return ok(isKnown ? [] : [event]);
}

export function isExplained({ explained }: Resolutions, difference: DifferenceKey): boolean {
  return explained.has(keyOf(difference));
}

function keyOf({ code, squareId, stated }: DifferenceKey): string {
  return `${code} ${squareId} ${stated}`;
}

function refundKeyOf({ squarePaymentId, stated }: OrphanRefundRequested): string {
  return `${squarePaymentId} ${stated}`;
}
