import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Client } from '../../runtime/client-address.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { answerProblem } from '../problem.ts';
import type { Counters, Wait } from './counters.ts';

export type Throttles = {
  readonly counters: Counters;
  readonly clientOf: (c: Context) => Client;
  readonly metrics: Metrics;
};

export type ClientLimit = {
  /** For operators, unique per route: routes with the same name would share counters but not limits. */
  readonly name: string;
  readonly perSeconds: number;
  readonly mostPerAddress: number;
  /** Larger than the limit per address: providers, offices and families share networks. */
  readonly mostPerNetwork: number;
  /** Counts in the database, over all processes. */
  readonly everywhere?: boolean;
};

export function throttle(throttles: Throttles, limit: ClientLimit) {
  const { name, perSeconds, mostPerAddress, mostPerNetwork, everywhere = false } = limit;
  const { counter } = throttles.counters;
  const ofNetwork = counter({ name: `${name}-network`, most: mostPerNetwork, perSeconds });
  const ofAddress = counter({ name: `${name}-address`, most: mostPerAddress, perSeconds });
  const count = everywhere ? 'countEverywhere' : 'count';
  return createMiddleware(async (c, next) => {
    const { address, network } = throttles.clientOf(c);
    // A refused network can use any number of addresses, which are not stored then.
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
