import { decimalDollars } from '@kilim/domain/money';
import { fromPromise } from 'xstate';
import { outcomeOf, paymentAnswer } from '../checkout/checkout-calls.ts';
import { browserCheckout } from '../checkout/checkout-effects.ts';
import type { ChargeInput } from '../checkout/checkout-machine.ts';
import type { ChargeEvent } from '../checkout/outcomes.ts';
import { call } from '../shared/call.ts';

/** Its order is no order of the cart. */
export const differenceCheckout: typeof browserCheckout = browserCheckout.provide({
  actors: { charge: fromPromise<ChargeEvent, ChargeInput>(({ input, signal }) => sendDifference(input, signal)) },
  actions: { keepOrder: () => undefined },
});

async function sendDifference(input: ChargeInput, signal: AbortSignal): Promise<ChargeEvent> {
  const { token, attempt, order } = input;
  const { idempotencyKey, orderId: id } = attempt;
  const body = { token, amount: decimalDollars(order.totalAmount), idempotencyKey };
  const paying = call('POST /api/differences/:id/pay', { params: { id }, body, answer: paymentAnswer });
  return await outcomeOf(input, { ...paying, signal });
}
