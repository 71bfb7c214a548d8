import type { Cents } from '@kilim/domain/money';
import type { PaymentId } from '@kilim/domain/order/ids';
import { evolve, isReturned, noOrphans, type Orphan } from '@kilim/domain/order/orphan';
import { eventsOf, type OrderStream } from '../ledger/read.ts';
import { paymentStateOf } from './record-payment.ts';

/** A charge that Square made after its attempt had ended without one. */
export type ReturnedCharge = {
  readonly amount: Cents;
  /** If false, the rest is on its way. */
  readonly isReturned: boolean;
};

/**
 * Square does not say which attempt made an orphan payment, so it counts as this one's unless the ledger knows it as
 * the hold of another.
 */
export function chargeOf(stream: OrderStream, paymentId: PaymentId): { readonly charge?: ReturnedCharge } {
  const { attempts } = paymentStateOf(stream);
  const end = stream.events.findIndex(
    ({ event }) =>
      (event.type === 'PaymentDeclined' || event.type === 'PaymentVoided') && event.paymentId === paymentId,
  );
  const foundLater = new Set(
    stream.events
      .slice(end + 1)
      .flatMap(({ event }) => (event.type === 'OrphanPaymentFound' ? [event.squarePaymentId] : [])),
  );
  const ofOthers = new Set(
    [...attempts.values()].flatMap((other) =>
      other.paymentId === paymentId ? [] : [other.authorization?.squarePaymentId],
    ),
  );
  const own = attempts.get(paymentId)?.authorization?.squarePaymentId;
  const candidates = [...eventsOf(stream).reduce(evolve, noOrphans).values()].filter(
    ({ found }) => foundLater.has(found.squarePaymentId) && !ofOthers.has(found.squarePaymentId),
  );
  const orphan: Orphan | undefined = candidates.find(({ found }) => found.squarePaymentId === own) ?? candidates.at(-1);
  return orphan === undefined ? {} : { charge: { amount: orphan.found.amount, isReturned: isReturned(orphan) } };
}
