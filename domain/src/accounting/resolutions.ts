import { type Cents, cents, noCents } from '../money.ts';
import type { OrderId } from '../order/ids.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';

// How people resolved differences between the ledger, its lists and Square, in a stream of its own.

/** A list, so that no free text enters the ledger. */
export const resolutionReasons = [
  'SettledAtSquare',
  'BookedByAccountant',
  'AgreedWithCustomer',
  'TestPayment',
  'TooSmall',
] as const;
export type ResolutionReason = (typeof resolutionReasons)[number];

type Reasoned = { readonly reason: ResolutionReason; readonly by: string };

/** Another amount is another difference. */
export type DifferenceKey = {
  readonly code: string;
  readonly squareId: string;
  /** No money moves. */
  readonly stated: Cents;
};

/** It leaves the list of differences. */
export type DifferenceExplained = DifferenceKey & Reasoned & { readonly type: 'DifferenceExplained' };

/** The intent; Square's refund becomes `OrphanPaymentReturned`. */
export type OrphanRefundRequested = Reasoned & {
  readonly type: 'OrphanRefundRequested';
  readonly squarePaymentId: string;
  readonly stated: Cents;
};

/** The payment becomes income of this order. */
export type OrphanAssigned = Reasoned & {
  readonly type: 'OrphanAssigned';
  readonly squarePaymentId: string;
  readonly orderId: OrderId;
  readonly amount: Cents;
};

export type OrphanWrittenOff = Reasoned & {
  readonly type: 'OrphanWrittenOff';
  readonly squarePaymentId: string;
  /** Negative: Square returned money of a payment that was assigned or written off. */
  readonly amount: Cents;
};

export type ClearingItemWrittenOff = Reasoned & {
  readonly type: 'ClearingItemWrittenOff';
  readonly squarePaymentId: string;
  /** Negative for money that never came. */
  readonly amount: Cents;
};

export type OrphanBooked = OrphanAssigned | OrphanWrittenOff;

type Undoing = {
  readonly undoes: number;
  readonly by: string;
};

/** The difference returns to the list if it still stands. */
export type ExplanationUndone = DifferenceKey & Undoing & { readonly type: 'ExplanationUndone' };

/** Takes back an assignment or a write-off. */
export type OrphanBookingUndone = Undoing & {
  readonly type: 'OrphanBookingUndone';
  readonly squarePaymentId: string;
  /** Absent for a write-off. */
  readonly orderId?: OrderId;
  readonly amount: Cents;
};

/** Takes back the write-off of an open item. */
export type ItemWriteOffUndone = Undoing & {
  readonly type: 'ItemWriteOffUndone';
  readonly squarePaymentId: string;
  readonly amount: Cents;
};

export type ResolutionUndone = ExplanationUndone | OrphanBookingUndone | ItemWriteOffUndone;
export type Resolution = DifferenceExplained | OrphanRefundRequested | OrphanBooked | ClearingItemWrittenOff;
export type ResolutionEvent = Resolution | ResolutionUndone;

export type Resolutions = {
  readonly version: number;
  /** By the version of the event. */
  readonly standing: ReadonlyMap<number, Resolution>;
  readonly undone: ReadonlySet<number>;
  readonly explained: ReadonlySet<string>;
  readonly refunds: ReadonlyMap<string, OrphanRefundRequested>;
  /** Assigned or written off, by Square's payment id. */
  readonly booked: ReadonlyMap<string, readonly OrphanBooked[]>;
  /** The version of the last write-off, by Square's payment id. */
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

export function decideExplanation(
  event: DifferenceExplained,
  state: Resolutions,
): Result<readonly ResolutionEvent[], never> {
  return ok(isExplained(state, event) ? [] : [event]);
}

/** A payment that a person has booked is not refunded. */
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

export type BookOrphan = Omit<OrphanAssigned, 'amount'> | Omit<OrphanWrittenOff, 'amount'>;

/** @param left what Square has not returned of the payment. */
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

/** @param seenAt the version of the stream that the comparison saw: a later write-off refuses another one. */
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
  /** The newer booking is undone first: it counts on this one. */
  | { readonly code: 'BookedSince' };

/** @param undoes the version of the resolution in its stream. */
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
