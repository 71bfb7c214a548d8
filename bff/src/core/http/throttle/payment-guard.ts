import type { IdempotencyKey, OrderId } from '@kilim/domain/order/ids';
import type { Client } from '../../runtime/client-address.ts';
import type { Logger } from '../../runtime/logger.ts';
import { refusedEmailCode } from '../../square/square-answer.ts';
import type { Counters, Wait } from './counters.ts';

export type PaymentAttempt = {
  readonly client: Client;
  readonly orderId: OrderId;
  readonly idempotencyKey: IdempotencyKey;
};

export type Refused = { readonly kind: 'refused'; readonly message: string } & Wait;

/**
 * Prevents card testing: criminals try stolen cards, of which most are declined. Square sets no limit, but closes
 * accounts because of it.
 */
export type PaymentGuard = {
  /** Asks the database only before a refusal. */
  readonly attempt: <Taken extends { readonly kind: string; readonly code?: unknown }>(
    attempt: PaymentAttempt,
    pay: () => Promise<Taken>,
  ) => Promise<Taken | Refused>;
};

export type PaymentGuardOptions = {
  readonly counters: Counters;
  readonly log: Logger;
  /** Beyond it, payments pause for everyone until the hour is over. */
  readonly mostDeclinesPerHour: number;
  /** A repeated request is answered despite the limits. */
  readonly isKnown: (key: IdempotencyKey) => Promise<boolean>;
};

const hour = 60 * 60;
const tenMinutes = 10 * 60;
/** Repeats of so many recent attempts need no query. */
const mostRemembered = 5000;

const tooManyAttempts =
  'There were too many payment attempts. Your card was not tried this time. Please wait a while, or contact us to pay.';
const shopPaused =
  'We cannot take card payments just now. Your card was not tried. Please try again later, or contact us to pay.';

export function createPaymentGuard(options: PaymentGuardOptions): PaymentGuard {
  const limits = paymentLimits(options);
  const alert = createAlert(options.log);
  const admissions = new Map<IdempotencyKey, Promise<Refused | undefined>>();

  const checkLimits = async ({ client: { address, network }, orderId }: PaymentAttempt) => {
    const attempts =
      (await limits.attemptsOfNetwork.count(network)) ??
      (await limits.attemptsOfAddress.count(address)) ??
      (await limits.attemptsOfOrder.count(orderId));
    const wait = attempts ?? (await limits.declines.reserve({ address, network }));
    if (wait === undefined) return undefined;
    if (wait.limit === shopLimit) alert(wait);
    const message = wait.limit === shopLimit ? shopPaused : tooManyAttempts;
    return { kind: 'refused' as const, ...wait, message };
  };

  return {
    attempt: async (attempt, pay) => {
      const { client, idempotencyKey } = attempt;
      // A double click gets the first click's verdict and is not counted again.
      const earlier = admissions.get(idempotencyKey);
      const admission = earlier ?? checkLimits(attempt);
      if (earlier === undefined) remember(admissions, idempotencyKey, admission);
      const refused = await admission;
      if (refused !== undefined) {
        admissions.delete(idempotencyKey);
        // Another process may have accepted the same key.
        return (await options.isKnown(idempotencyKey)) ? pay() : refused;
      }
      if (earlier !== undefined) return pay();
      let isDeclined = false;
      try {
        const taken = await pay();
        isDeclined = taken.kind === 'declined' && taken.code !== refusedEmailCode;
        return taken;
      } finally {
        if (!isDeclined) await limits.declines.giveBack(client);
      }
    },
  };
}

const shopLimit = 'decline-shop';

function paymentLimits(options: PaymentGuardOptions) {
  const { counter } = options.counters;
  return {
    attemptsOfOrder: counter({ name: 'pay-order', most: 15, perSeconds: hour }),
    attemptsOfAddress: counter({ name: 'pay-address', most: 60, perSeconds: tenMinutes }),
    attemptsOfNetwork: counter({ name: 'pay-network', most: 240, perSeconds: tenMinutes }),
    declines: declineLimits(options),
  };
}

/**
 * Every attempt counts as declined until its outcome is known. Otherwise a thousand concurrent attempts would pass
 * before the first is declined. A network's limit is lower than the shop's, so that no network can pause the shop.
 */
function declineLimits({ counters: { counter }, mostDeclinesPerHour }: PaymentGuardOptions) {
  const mostOfNetwork = Math.max(1, Math.min(40, Math.floor(mostDeclinesPerHour * 0.7)));
  const mostOfAddress = Math.min(10, mostOfNetwork);
  const ofNetwork = counter({ name: 'decline-network', most: mostOfNetwork, perSeconds: hour });
  const ofAddress = counter({ name: 'decline-address', most: mostOfAddress, perSeconds: hour });
  const ofShop = counter({ name: shopLimit, most: mostDeclinesPerHour, perSeconds: hour });
  const placesOf = ({ address, network }: Client) => [
    { counts: ofNetwork, who: network },
    { counts: ofAddress, who: address },
    { counts: ofShop, who: 'shop' },
  ];
  return {
    /** Counts in all three limits or in none. */
    reserve: async (client: Client): Promise<Wait | undefined> => {
      const reserved: ReturnType<typeof placesOf> = [];
      for (const place of placesOf(client)) {
        const wait = await place.counts.count(place.who);
        if (wait !== undefined) {
          for (const { counts, who } of reserved) await counts.giveBack(who);
          return wait;
        }
        reserved.push(place);
      }
      return undefined;
    },
    giveBack: async (client: Client): Promise<void> => {
      for (const { counts, who } of placesOf(client)) await counts.giveBack(who);
    },
  };
}

function createAlert(log: Logger) {
  let quietUntil = 0;
  return ({ limit, seconds }: Wait) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + seconds * 1000;
    log.fatal(
      { limit, seconds },
      'too many cards were declined, possibly stolen ones; new payments are refused for a while',
    );
  };
}

function remember(
  admissions: Map<IdempotencyKey, Promise<Refused | undefined>>,
  key: IdempotencyKey,
  admission: Promise<Refused | undefined>,
): void {
  admissions.set(key, admission);
  for (const oldest of admissions.keys()) {
    if (admissions.size <= mostRemembered) return;
    admissions.delete(oldest);
  }
}
