import { unreachable } from '@kilim/domain/unreachable';
import { fromPromise } from 'xstate';
import { abVariant } from '../shared/ab-variant.ts';
import { isFromFrame } from '../shared/framed.ts';
import { logWarning } from '../shared/log.ts';
import { saveCurrentOrder } from '../shared/stored-order.ts';
import { showToast } from '../shared/toast/toast-store.ts';
import { lookUpPayment, sendPayment } from './checkout-calls.ts';
import { type ChargeInput, checkoutMachine, type LookUpInput, type ReadCardInput } from './checkout-machine.ts';
import type { CardEvent, ChargeEvent, LookUpEvent } from './outcomes.ts';
import { forgetAttempt, rememberAttempt } from './remembered-attempt.ts';
import { checkoutTexts } from './texts.ts';
import { verificationDetails } from './verification-details.ts';

/** With Square, our server and the browser's storage. */
export const browserCheckout = checkoutMachine.provide({
  actors: {
    readCard: fromPromise<CardEvent, ReadCardInput>(({ input }) => readCard(input)),
    charge: fromPromise<ChargeEvent, ChargeInput>(({ input, signal }) =>
      sendPayment(input, { signal, source: { embedded: isFromFrame(input.attempt.orderId), variant: abVariant() } }),
    ),
    lookUp: fromPromise<LookUpEvent, LookUpInput>(({ input, signal }) => lookUpPayment(input, signal)),
  },
  actions: {
    remember: (_, attempt) => rememberAttempt(attempt),
    forget: (_, attempt) => forgetAttempt(attempt),
    keepOrder: (_, { order, shownTotal }) => saveCurrentOrder(order, shownTotal),
    announceFailure: (_, { message }) =>
      showToast({
        title: checkoutTexts.paymentFailedTitle,
        description: message,
        variant: 'destructive',
        silent: true,
      }),
  },
});

/** Each token gets its own idempotency key: Square rejects an old key with a new token, even after a decline. */
async function readCard({ reader, order }: ReadCardInput): Promise<CardEvent> {
  const reading = await reader.read(verificationDetails(order));
  if (reading.kind !== 'token') logWarning(`Square gave no card token: ${reading.kind}`);
  switch (reading.kind) {
    case 'token': {
      const attempt = {
        idempotencyKey: crypto.randomUUID(),
        orderId: order.orderId,
        startedAt: new Date().toISOString(),
      };
      const { token, customerInfo = order.customerInfo } = reading;
      return { type: 'card.read', token, attempt, order: { ...order, customerInfo } };
    }
    case 'invalid':
      return { type: 'card.invalid', fields: reading.fields };
    case 'contactIncomplete':
      return { type: 'card.contactIncomplete', mistakes: reading.mistakes };
    case 'canceled':
      return { type: 'card.verificationCanceled' };
    case 'dismissed':
      return { type: 'card.dismissed' };
    case 'failed':
      return { type: 'card.unreadable' };
    default:
      return unreachable(reading);
  }
}
