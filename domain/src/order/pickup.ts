import type { Day } from '../day.ts';
import { ok, type Result, rejected } from '../result.ts';
import type { OrderEvent, PickupAgreed } from './events.ts';
import * as refund from './refund.ts';

export type PickupState = {
  readonly isPickup: boolean;
  readonly refunds: refund.RefundState;
  readonly agreed: PickupAgreed | undefined;
};

export const nothingAgreed: PickupState = { isPickup: false, refunds: refund.nothingRefunded, agreed: undefined };

export function evolve(state: PickupState, event: OrderEvent): PickupState {
  return {
    isPickup: event.type === 'OrderPlaced' ? event.deliveryOption === 'pickup' : state.isPickup,
    refunds: refund.evolve(state.refunds, event),
    agreed: event.type === 'PickupAgreed' ? event : state.agreed,
  };
}

/** @param today in the time zone of the business. */
export type AgreePickup = Pick<PickupAgreed, 'day' | 'window'> & { readonly today: Day };

export type PickupRejection =
  | { readonly code: 'NotPickup' }
  | { readonly code: 'NotPaid' }
  | { readonly code: 'FullyRefunded' }
  | { readonly code: 'DisputeLost' }
  | { readonly code: 'PastPickupDay'; readonly today: Day };

/**
 * What a clerk and a customer agreed on at the telephone. They may agree again; the same once more records nothing.
 * The plan and full days only guide the screen: the shop may drive when it likes.
 */
export function decide(
  { day, window, today }: AgreePickup,
  { isPickup, refunds, agreed }: PickupState,
): Result<readonly PickupAgreed[], PickupRejection> {
  if (!isPickup) return rejected({ code: 'NotPickup' });
  if (refunds.captured === undefined) return rejected({ code: 'NotPaid' });
  if (refund.refundableOf(refunds) === 0) return rejected({ code: 'FullyRefunded' });
  if (refund.disputeBlock(refunds)?.code === 'DisputeLost') return rejected({ code: 'DisputeLost' });
  if (day < today) return rejected({ code: 'PastPickupDay', today });
  return ok(agreed?.day === day && agreed.window === window ? [] : [{ type: 'PickupAgreed', day, window }]);
}
