import { createHmac } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { countsIn } from '../../core/database/counting-client.ts';
import type { Sql } from '../../core/database/database.ts';

/** A browser that signed in to this account before, or has a session of it. It has a count of its own. */
export type Trusted =
  | { readonly kind: 'browser'; readonly tokenHash: Uint8Array }
  | { readonly kind: 'session'; readonly id: string };

export type Attempting = {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly subscriber: string;
  readonly username: string;
  /** Absent: a stranger. */
  readonly trusted: Trusted | undefined;
};

export type SignInThrottle = {
  /** @returns the seconds to wait; 0 allows this attempt. */
  readonly attempt: (who: Attempting) => Promise<number>;
  /** Takes the attempts at the account back after a correct password. */
  readonly succeeded: (who: Attempting) => Promise<void>;
};

export type ThrottleOptions = {
  readonly sql: Sql;
  /** Hides names and addresses in the database's keys. All processes need the same secret. */
  readonly secret: string;
};

/** After the free attempts each pause is twice the last, up to the longest. Counts expire after an hour. */
const limits = {
  network: { free: 10, longestSeconds: 300 },
  account: { free: 5, longestSeconds: 300 },
  trusted: { free: 5, longestSeconds: 300 },
} as const;
const forgottenAfterSeconds = 3600;

/**
 * Strangers share two counts, one of their network and one of the account. A trusted browser has a single count of its
 * own, so strangers never delay it, and a stolen cookie has few guesses. An account is never locked: a pause lasts at
 * most five minutes.
 */
export function createSignInThrottle({ sql, secret }: ThrottleOptions): SignInThrottle {
  const store = countsIn(sql);
  const counted = new RateLimiterPostgres({
    ...store,
    keyPrefix: 'sign-in',
    points: 1_000_000,
    duration: forgottenAfterSeconds,
  });
  // One attempt passes; the others wait until its pause has ended.
  const gate = new RateLimiterPostgres({ ...store, keyPrefix: 'sign-in-pause', points: 1, duration: 1 });

  const pass = async ({ key, free, longestSeconds }: Counter): Promise<number> => {
    // Count before deciding, so that of a hundred concurrent attempts only one is the first.
    const { consumedPoints } = await counted.penalty(key);
    if (consumedPoints <= free) return 0;
    const customDuration = Math.min(2 ** (consumedPoints - free - 1), longestSeconds);
    return await secondsToWait(gate.consume(key, 1, { customDuration }));
  };

  return {
    attempt: async (who) => {
      const passed: Counter[] = [];
      for (const counter of countersOf(secret, who)) {
        const waitSeconds = await pass(counter);
        if (waitSeconds === 0) {
          passed.push(counter);
          continue;
        }
        // A refused attempt tried no password, so it must not lengthen the next pause.
        for (const { key } of [...passed, counter]) await counted.reward(key);
        return waitSeconds;
      }
      return 0;
    },
    succeeded: async (who) => {
      const [first, account] = countersOf(secret, who);
      if (account !== undefined) {
        // A guesser with an account could otherwise reset the network's count of attempts at others.
        const { consumedPoints } = await counted.penalty(account.key, 0);
        await counted.reward(first.key, consumedPoints);
      }
      const { key } = account ?? first;
      await counted.delete(key);
      await gate.delete(key);
    },
  };
}

/** @returns 0 when the attempt is allowed. */
export async function secondsToWait(consumed: Promise<unknown>): Promise<number> {
  try {
    await consumed;
    return 0;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

/** Strangers have that of the network and that of the account. */
type Counters = readonly [Counter] | readonly [Counter, Counter];

type Counter = { readonly key: string; readonly free: number; readonly longestSeconds: number };

/** Keys are hashes, because a mistyped user name may be a password. */
function countersOf(secret: string, { subscriber, username, trusted }: Attempting): Counters {
  const keyOf = (who: string) => createHmac('sha256', secret).update(who).digest('base64url');
  if (trusted !== undefined) return [{ key: keyOf(nameOf(trusted)), ...limits.trusted }];
  return [
    { key: keyOf(`address ${subscriber}`), ...limits.network },
    { key: keyOf(`account ${username.trim().toLowerCase()}`), ...limits.account },
  ];
}

export function nameOf(trusted: Trusted): string {
  return trusted.kind === 'browser'
    ? `browser ${Buffer.from(trusted.tokenHash).toString('hex')}`
    : `session ${trusted.id}`;
}
