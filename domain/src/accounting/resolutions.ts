import { type Cents, cents, noCents } from '../money.ts';
import type { OrderId } from '../order/ids.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';

// How people resolved differences between the ledger, its lists and Square. The events have a stream of their own.

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

/** A person found out which order an orphan payment was for. It becomes income. */
export type OrphanAssigned = {
  readonly type: 'OrphanAssigned';
  readonly squarePaymentId: string;
  readonly orderId: OrderId;
  /** What was left of the payment. */
  readonly amount: Cents;
  readonly reason: ResolutionReason;
  readonly by: string;
};

/** A person decided that an orphan payment needs nothing more. */
export type OrphanWrittenOff = {
  readonly type: 'OrphanWrittenOff';
  readonly squarePaymentId: string;
  /**
   * What was left of the payment. Negative: Square returned money of a payment that had been assigned or written off.
   */
  readonly amount: Cents;
  readonly reason: ResolutionReason;
  readonly by: string;
};

/** A person decided that no payout will settle an open item of the clearing account. */
export type ClearingItemWrittenOff = {
  readonly type: 'ClearingItemWrittenOff';
  /** The item. */
  readonly squarePaymentId: string;
  /** The change of the clearing account: negative for money that never came. */
  readonly amount: Cents;
  readonly reason: ResolutionReason;
  readonly by: string;
};

export type OrphanBooked = OrphanAssigned | OrphanWrittenOff;

type Undoing = {
  /** The version of the undone event in this stream. */
  readonly undoes: number;
  /** The sign-in name of the person. */
  readonly by: string;
};

/** A person took an explanation back. The difference returns to the list if it still stands. */
export type ExplanationUndone = DifferenceKey & Undoing & { readonly type: 'ExplanationUndone' };

/** A person took an assignment or a write-off of an orphan payment back. */
export type OrphanBookingUndone = Undoing & {
  readonly type: 'OrphanBookingUndone';
  readonly squarePaymentId: string;
  /** The order of an undone assignment; absent for a write-off. */
  readonly orderId?: OrderId;
  /** The amount of the undone booking. */
  readonly amount: Cents;
};

/** A person took the write-off of an open item back. */
export type ItemWriteOffUndone = Undoing & {
  readonly type: 'ItemWriteOffUndone';
  readonly squarePaymentId: string;
  /** The amount of the undone write-off. */
  readonly amount: Cents;
};

export type ResolutionUndone = ExplanationUndone | OrphanBookingUndone | ItemWriteOffUndone;
/** A decision of a person about a difference. */
export type Resolution = DifferenceExplained | OrphanRefundRequested | OrphanBooked | ClearingItemWrittenOff;
export type ResolutionEvent = Resolution | ResolutionUndone;

export type Resolutions = {
  /** The version of the stream; 0 before the first event. */
  readonly version: number;
  /** What nobody has undone, by the version of its event. */
  readonly standing: ReadonlyMap<number, Resolution>;
  /** The versions of the events that people have undone. */
  readonly undone: ReadonlySet<number>;
  readonly explained: ReadonlySet<string>;
  readonly refunds: ReadonlyMap<string, OrphanRefundRequested>;
  /** The orphan payments that people assigned or wrote off, by Square's id, each with its bookings. */
  readonly booked: ReadonlyMap<string, readonly OrphanBooked[]>;
  /** The version of the stream with which each item was last written off, by the payment's id. */
  readonly writtenOff: ReadonlyMap<string, number>;
};

export const nothingResolved: Resolutions = {
  version: 0,
  standing: new Map(),
  undone: new Set(),
  explained: new Set(),
  refunds: new Map(),
  booked: new Map(),
  writtenOff: new Map(),
};

export function evolve(before: Resolutions, event: ResolutionEvent): Resolutions {
  const version = before.version + 1;
  if (isUndoing(event)) return withoutUndone({ ...before, version }, event);
  const state = { ...before, version, standing: new Map(before.standing).set(version, event) };
  switch (event.type) {
    case 'DifferenceExplained':
      return { ...state, explained: new Set(state.explained).add(keyOf(event)) };
    case 'OrphanRefundRequested':
      return { ...state, refunds: new Map(state.refunds).set(refundKeyOf(event), event) };
    case 'OrphanAssigned':
    case 'OrphanWrittenOff':
      return withBookings(state, event.squarePaymentId, [...bookingsOf(state, event.squarePaymentId), event]);
    case 'ClearingItemWrittenOff':
      return { ...state, writtenOff: new Map(state.writtenOff).set(event.squarePaymentId, version) };
    default:
      return unreachable(event);
  }
}

export function isUndoing(event: ResolutionEvent): event is ResolutionUndone {
  return 'undoes' in event;
}

function withoutUndone(before: Resolutions, event: ResolutionUndone): Resolutions {
  const standing = new Map(before.standing);
  standing.delete(event.undoes);
  const state = { ...before, standing, undone: new Set(before.undone).add(event.undoes) };
  switch (event.type) {
    case 'ExplanationUndone': {
      const explained = new Set(state.explained);
      explained.delete(keyOf(event));
      return { ...state, explained };
    }
    case 'OrphanBookingUndone':
      return withBookings(state, event.squarePaymentId, bookingsOf(state, event.squarePaymentId).slice(0, -1));
    case 'ItemWriteOffUndone': {
      const writtenOff = new Map(state.writtenOff);
      const isOfItem = (each: Resolution) =>
        each.type === 'ClearingItemWrittenOff' && each.squarePaymentId === event.squarePaymentId;
      const last = [...standing].findLast(([, each]) => isOfItem(each));
      if (last === undefined) writtenOff.delete(event.squarePaymentId);
      else writtenOff.set(event.squarePaymentId, last[0]);
      return { ...state, writtenOff };
    }
    default:
      return unreachable(event);
  }
}

function bookingsOf({ booked }: Resolutions, squarePaymentId: string): readonly OrphanBooked[] {
  return booked.get(squarePaymentId) ?? [];
}

function withBookings(state: Resolutions, squarePaymentId: string, bookings: readonly OrphanBooked[]): Resolutions {
  const booked = new Map(state.booked);
  if (bookings.length === 0) booked.delete(squarePaymentId);
  else booked.set(squarePaymentId, bookings);
  return { ...state, booked };
}

/** A repeated click records nothing. */
export function decideExplanation(
  event: DifferenceExplained,
  state: Resolutions,
): Result<readonly ResolutionEvent[], never> {
  return ok(isExplained(state, event) ? [] : [event]);
}

/** A repeated click records nothing. A payment that a person has booked is not refunded any more. */
export function decideRefund(
  event: OrphanRefundRequested,
  state: Resolutions,
): Result<readonly ResolutionEvent[], { readonly code: 'AlreadyBooked' }> {
  if (state.booked.has(event.squarePaymentId)) return rejected({ code: 'AlreadyBooked' });
  return ok(state.refunds.has(refundKeyOf(event)) ? [] : [event]);
}

/** @param left what Square has not returned of the payment. */
export function unbookedOf(state: Resolutions, squarePaymentId: string, left: Cents): Cents {
  const unbooked = bookingsOf(state, squarePaymentId).reduce((rest, { amount }) => rest - amount, left as number);
  return unbooked === 0 ? noCents : cents(unbooked);
}

/** What a person wants to do with the rest of an orphan payment. */
export type BookOrphan = Omit<OrphanAssigned, 'amount'> | Omit<OrphanWrittenOff, 'amount'>;

/**
 * Books the rest of an orphan payment. A repeated click records nothing.
 * @param left what Square has not returned of the payment.
 */
export function decideBooking(
  booking: BookOrphan,
  left: Cents,
  state: Resolutions,
): Result<readonly ResolutionEvent[], { readonly code: 'NothingToBook' }> {
  const amount = unbookedOf(state, booking.squarePaymentId, left);
  if (amount === 0) {
    const last = bookingsOf(state, booking.squarePaymentId).at(-1);
    return last !== undefined && isSame(booking, last) ? ok([]) : rejected({ code: 'NothingToBook' });
  }
  // Returned money belongs to no order.
  if (booking.type === 'OrphanAssigned' && amount < 0) return rejected({ code: 'NothingToBook' });
  return ok([{ ...booking, amount }]);
}

/**
 * Writes an open item off. An item that was written off after the comparison is not written off again.
 * @param seenAt the version of the stream that the comparison of the item saw.
 */
export function decideWriteOff(
  writeOff: ClearingItemWrittenOff,
  seenAt: number,
  state: Resolutions,
): Result<readonly ResolutionEvent[], never> {
  return ok(isWrittenOffSince(state, writeOff.squarePaymentId, seenAt) ? [] : [writeOff]);
}

export function isWrittenOffSince({ writtenOff }: Resolutions, squarePaymentId: string, seenAt: number): boolean {
  return (writtenOff.get(squarePaymentId) ?? 0) > seenAt;
}

export type UndoRejection =
  | { readonly code: 'NoSuchResolution' }
  /** Money may be on its way back. */
  | { readonly code: 'RefundRequested' }
  /** Its amount was decided with this booking in mind: the newer one is undone first. */
  | { readonly code: 'BookedSince' };

/**
 * Takes a resolution back. A repeated click records nothing.
 * @param undoes the version of the resolution in its stream
 */
export function decideUndo(
  { undoes, by }: Undoing,
  state: Resolutions,
): Result<readonly ResolutionUndone[], UndoRejection> {
  if (state.undone.has(undoes)) return ok([]);
  const resolution = state.standing.get(undoes);
  if (resolution === undefined) return rejected({ code: 'NoSuchResolution' });
  switch (resolution.type) {
    case 'DifferenceExplained': {
      const { code, squareId, stated } = resolution;
      return ok([{ type: 'ExplanationUndone', undoes, code, squareId, stated, by }]);
    }
    case 'OrphanRefundRequested':
      return rejected({ code: 'RefundRequested' });
    case 'OrphanAssigned':
    case 'OrphanWrittenOff': {
      const { squarePaymentId, amount } = resolution;
      if (bookingsOf(state, squarePaymentId).at(-1) !== resolution) return rejected({ code: 'BookedSince' });
      const order = resolution.type === 'OrphanAssigned' ? { orderId: resolution.orderId } : {};
      return ok([{ type: 'OrphanBookingUndone', undoes, squarePaymentId, ...order, amount, by }]);
    }
    case 'ClearingItemWrittenOff': {
      const { squarePaymentId, amount } = resolution;
      return ok([{ type: 'ItemWriteOffUndone', undoes, squarePaymentId, amount, by }]);
    }
    default:
      return unreachable(resolution);
  }
}

function isSame(booking: BookOrphan, booked: OrphanBooked): boolean {
  const orderOf = (each: BookOrphan) => (each.type === 'OrphanAssigned' ? each.orderId : undefined);
  return booking.type === booked.type && booking.by === booked.by && orderOf(booking) === orderOf(booked);
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
