import { setTimeout } from 'node:timers/promises';
import type { Context } from 'hono';
import type { SecurityOf } from '../../core/http/proven.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import { answerTooMany, type Throttles } from '../../core/http/throttle/throttle.ts';
import { subscriberOf } from '../../core/runtime/client-address.ts';

/** @returns the answer when the network sent too many unknown tokens; undefined when the call answers as usual. */
export type UnknownTokens = (c: Context<RequestEnv>) => Promise<Response | undefined>;

/** A page whose session has ended asks a few times more before it shows the sign-in. */
const mostPerMinute = 60;
const slowdownMs = 1000;
/** Each occupies a connection. */
const mostSlowed = 100;

/** Tokens are checked before they are counted: a valid one is answered immediately, also from such a network. */
export function createUnknownTokens(throttles: Throttles, securityOf: SecurityOf): UnknownTokens {
  const ofNetwork = throttles.counters.counter({ name: 'unknown-token', most: mostPerMinute, perSeconds: 60 });
  let slowed = 0;
  return async (c) => {
    const wait = await ofNetwork.count(subscriberOf(throttles.clientOf(c)));
    if (wait === undefined) return undefined;
    const limit = 'of unknown tokens from one network';
    await securityOf(c).note({ kind: 'limit-reached', username: undefined, limit });
    if (slowed < mostSlowed) {
      slowed += 1;
      await setTimeout(slowdownMs, undefined, { ref: false });
      slowed -= 1;
    }
    return answerTooMany(c, throttles, wait);
  };
}
