import { createHmac } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Sql } from '../database/database.ts';
import { clientOver } from '../server/throttle/counting-client.ts';

/** An attempt to sign in, before the password is checked. */
export type Attempting = {
  readonly address: string;
  readonly username: string;
  /** The hash of this browser's token, if the account has signed in with this browser before. */
  readonly knownBrowser: Uint8Array | undefined;
};

export type SignInThrottle = {
  /** Counts an attempt. @returns the seconds to wait; 0 allows this attempt. */
  readonly attempt: (who: Attempting) => Promise<number>;
  /** Resets the counts after a correct password. */
  readonly succeeded: (who: Attempting) => Promise<void>;
};

export type SignInThrottleOptions = {
  readonly sql: Sql;
  /** Hides names and addresses in the database's keys. All processes need the same secret. */
  readonly secret: string;
};

/**
 * After the free attempts the pause doubles each time, up to the longest. Counts expire after an
 * hour.
 */
const limits = { address: { free: 10, longestSeconds: 300 }, account: { free: 5, longestSeconds: 300 } } as const;
const forgottenAfterSeconds = 3600;

/**
 * Slows down password guessing, by address and by account, across all processes. An account is
 * never locked: a pause lasts at most five minutes. A browser that has signed in before has its own
 * count, so strangers cannot use up its attempts.
 */
export function createSignInThrottle({ sql, secret }: SignInThrottleOptions): SignInThrottle {
  const store = {
    storeClient: clientOver(sql),
    storeType: 'client',
    schemaName: 'kilim',
    tableName: 'throttle',
    tableCreated: true,
  };
  const counted = new RateLimiterPostgres({
    ...store,
    keyPrefix: 'sign-in',
    points: 1_000_000,
    duration: forgottenAfterSeconds,
  });
  // Lets one attempt pass, and refuses the others until its pause has ended.
  const gate = new RateLimiterPostgres({ ...store, keyPrefix: 'sign-in-pause', points: 1, duration: 1 });

  const pass = async ({ key, free, longestSeconds }: Counter): Promise<number> => {
    // Count before deciding, so that of a hundred concurrent attempts only one is the first.
    const { consumedPoints } = await counted.penalty(key);
    if (consumedPoints <= free) return 0;
    const customDuration = Math.min(2 ** (consumedPoints - free - 1), longestSeconds);
    try {
      await gate.consume(key, 1, { customDuration });
      return 0;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    }
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
      for (const { key } of countersOf(secret, who)) {
        await counted.delete(key);
        await gate.delete(key);
      }
    },
  };
}

type Counter = { readonly key: string; readonly free: number; readonly longestSeconds: number };

/** Keys are hashes, because a mistyped user name may be a password. */
function countersOf(secret: string, { address, username, knownBrowser }: Attempting): readonly Counter[] {
  const keyOf = (who: string) => createHmac('sha256', secret).update(who).digest('base64url');
  const account =
    knownBrowser === undefined
      ? `account ${username.trim().toLowerCase()}`
      : `browser ${Buffer.from(knownBrowser).toString('hex')}`;
  return [
    { key: keyOf(`address ${address}`), ...limits.address },
    { key: keyOf(account), ...limits.account },
  ];
}
