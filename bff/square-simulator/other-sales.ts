import { randomUUID } from 'node:crypto';
import { paymentEvent } from './events.ts';
import { moved, newPayment } from './payment-object.ts';
import { createPaymentBody } from './request-body.ts';
import type { TestCard } from './test-cards.ts';
import { readToken } from './tokens.ts';
import type { Answer } from './wire.ts';
import type { World } from './world.ts';

/**
 * A sale at the shop's counter. It uses the same location, but Kilim did not request it.
 */
export function sellAtCounter(world: World, amount: number): Answer {
  const idempotencyKey = randomUUID();
  const body = createPaymentBody.parse({
    source_id: 'cnon:card-nonce-ok',
    idempotency_key: idempotencyKey,
    amount_money: { amount, currency: 'USD' },
  });
  const card = goodCard(body.source_id);
  const { application_details: details, ...held } = newPayment(world, body, card);
  const sale = { ...held, application_details: { ...details, square_product: 'SQUARE_POS' as const } };
  const payment = moved(world, sale, 'COMPLETED');
  world.store.commit([
    { type: 'payment', what: 'sold at the counter', payment, idempotencyKey, outcome: card.outcome },
    paymentEvent(world, 'payment.created', payment),
  ]);
  return { status: 200, body: { payment } };
}

function goodCard(token: string): TestCard {
  const read = readToken(token);
  if (read === undefined) throw new Error('The token that always works does not');
  return read.card;
}
