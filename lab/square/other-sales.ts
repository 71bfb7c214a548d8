import { randomUUID } from 'node:crypto';
import { paymentEvent } from './events.ts';
import { moved, newPayment } from './payment-object.ts';
import { createPayment } from './payments.ts';
import { createPaymentBody } from './request-body.ts';
import { goodCard } from './test-cards.ts';
import type { Answer } from './wire.ts';
import type { World } from './world.ts';

// Sales at the same location that Kilim did not request.

/** At the shop's counter. */
export function sellAtCounter(world: World, amount: number): Answer {
  const asked = requestOf(amount);
  const { idempotency_key: idempotencyKey } = asked;
  const body = createPaymentBody.parse(asked);
  const { application_details: details, ...held } = newPayment(world, body, goodCard);
  const sale = { ...held, application_details: { ...details, square_product: 'SQUARE_POS' as const } };
  const payment = moved(world, sale, 'COMPLETED');
  world.store.commit([
    { type: 'payment', what: 'sold at the counter', payment, idempotencyKey, outcome: goodCard.outcome },
    paymentEvent(world, 'payment.created', payment),
  ]);
  return { status: 200, body: { payment } };
}

/** Online, by a payment link. */
export function payByLink(world: World, amount: number): Answer {
  return createPayment(world, { ...requestOf(amount), autocomplete: true });
}

function requestOf(amount: number) {
  return {
    source_id: 'cnon:card-nonce-ok',
    idempotency_key: randomUUID(),
    amount_money: { amount, currency: 'USD' },
  };
}
