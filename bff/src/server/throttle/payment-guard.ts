import type { IdempotencyKey, OrderId } from '@kilim/domain/order/ids';
import type { Logger } from '../logger.ts';
import type { Client } from './client-address.ts';
import type { Counters, Wait } from './counters.ts';

/** A request to pay, as far as it is counted. */
export type PaymentAttempt = {
  readonly client: Client;
  readonly orderId: OrderId;
  readonly idempotencyKey: IdempotencyKey;
};

export type Refused = { readonly kind: 'refused'; readonly message: string } & Wait;

/**
 * Keeps people from trying stolen cards here. Who does so pays with one card after the other, most of which are declined; Square sets no
 * limit to that, and closes accounts for it.
 */
export type PaymentGuard = {
  /** Lets an attempt through to where it is made, or refuses it. Without a word to the database, unless the answer would be no. */
  readonly attempt: <Taken extends { readonly kind: string }>(
    attempt: PaymentAttempt,
    pay: () => Promise<Taken>,
  ) => Promise<Taken | Refused>;
};

export type PaymentGuardOptions = {
  readonly counters: Counters;
  readonly log: Logger;
  /** Over the whole shop. When there are more, something is wrong, and nobody's card is tried until it is over. */
  readonly mostDeclinesPerHour: number;
  /** Whether an attempt of this key stands in the ledger: its repeat is answered, whatever the limits say. */
  readonly isKnown: (key: IdempotencyKey) => Promise<boolean>;
};

const hour = 60 * 60;
const tenMinutes = 10 * 60;
/** Attempts whose repeats are recognised without asking the database. */
const mostRemembered = 5000;

const tooManyAttempts =
  'There were too many payment attempts. Your card was not tried this time. Please wait a while, or call us to pay.';
const shopPaused =
  'We cannot take card payments just now. Your card was not tried. Please try again later, or call us to pay.';

export function createPaymentGuard(options: PaymentGuardOptions): PaymentGuard {
  const limits = paymentLimits(options);
  const alert = createAlert(options.log);
  const admissions = new Map<IdempotencyKey, Promise<Refused | undefined>>();

  const judge = async ({ client: { address, network }, orderId }: PaymentAttempt) => {
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
      // A double click gets the first one's verdict, and neither it nor what comes of it is counted again.
      const earlier = admissions.get(idempotencyKey);
      const admission = earlier ?? judge(attempt);
      if (earlier === undefined) remember(admissions, idempotencyKey, admission);
      const refused = await admission;
      if (refused !== undefined) {
        admissions.delete(idempotencyKey);
        // Another process may have let it through.
        return (await options.isKnown(idempotencyKey)) ? pay() : refused;
      }
      if (earlier !== undefined) return pay();
      let kind: string | undefined;
      try {
        const taken = await pay();
        kind = taken.kind;
        return taken;
      } finally {
        if (kind !== 'declined') await limits.declines.giveBack(client);
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
 * Every attempt counts as declined until it is known not to be: otherwise a thousand at once would all be let through before the first is
 * declined. What one network may do stays below what closes the shop to all, so that nobody closes it alone.
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
    /** All of them or none. */
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

/** Once for as long as payments are refused. */
function createAlert(log: Logger) {
  let quietUntil = 0;
  return ({ limit, seconds }: Wait) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + seconds * 1000;
    log.fatal(
      { limit, seconds },
      'so many cards are declined that somebody may be trying stolen ones; new payments are refused for a while',
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
