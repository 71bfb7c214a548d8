import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Metrics } from '../server/metrics.ts';
import type { Client } from '../server/throttle/client-address.ts';
import type { Counters, Wait } from '../server/throttle/counters.ts';
import { answerProblem } from './problem.ts';

/** What routes need to refuse who asks too often. */
export type Throttles = {
  readonly counters: Counters;
  readonly clientOf: (c: Context) => Client;
  readonly metrics: Metrics;
};

export type ClientLimit = {
  /** Shown to operators. Two routes of one name would share a key and not a limit: take another. */
  readonly name: string;
  readonly perSeconds: number;
  readonly mostPerAddress: number;
  /** People behind one provider, one office or one family are different customers. */
  readonly mostPerNetwork: number;
  /** Counts over all processes before the request goes on, for which it waits a statement's time. */
  readonly everywhere?: boolean;
};

/** In front of a route: refuses an address or a network that asks too often. */
export function throttle(throttles: Throttles, limit: ClientLimit) {
  const { name, perSeconds, mostPerAddress, mostPerNetwork, everywhere = false } = limit;
  const { counter } = throttles.counters;
  const ofNetwork = counter({ name: `${name}-network`, most: mostPerNetwork, perSeconds });
  const ofAddress = counter({ name: `${name}-address`, most: mostPerAddress, perSeconds });
  const count = everywhere ? 'countEverywhere' : 'count';
  return createMiddleware(async (c, next) => {
    const { address, network } = throttles.clientOf(c);
    // The network first: when it is refused, its addresses, of which it may invent any number, are not remembered.
    const wait = (await ofNetwork[count](network)) ?? (await ofAddress[count](address));
    return wait === undefined ? next() : answerTooMany(c, throttles, wait);
  });
}

const tooManyMessage = 'There were too many requests from your connection. Please wait a moment and try again.';

export function answerTooMany(c: Context, { metrics }: Throttles, wait: Wait & { readonly message?: string }) {
  metrics.throttled.inc({ limit: wait.limit });
  c.header('retry-after', String(wait.seconds));
  return answerProblem(c, { status: 429, code: 'TooManyRequests', message: wait.message ?? tooManyMessage });
}
