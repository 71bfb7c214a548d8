import { createHmac } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Sql } from '../database/database.ts';
import { clientOver } from '../server/throttle/counting-client.ts';

/** Who tries to sign in, as far as it can be told before the password is looked at. */
export type Attempting = {
  readonly address: string;
  readonly username: string;
  /** The hash of the token of a browser in which this account was signed in before. */
  readonly knownBrowser: Uint8Array | undefined;
};

export type SignInThrottle = {
  /** Counts an attempt. @returns how many seconds to wait before the next one; 0 lets this one through. */
  readonly attempt: (who: Attempting) => Promise<number>;
  /** The password was right: what was counted is forgotten. */
  readonly succeeded: (who: Attempting) => Promise<void>;
};

export type SignInThrottleOptions = {
  readonly sql: Sql;
  /** Hides from who reads the database whom a key stands for. The same on all processes. */
  readonly secret: string;
};

/** So many attempts are free; then the pause doubles from one to the next, up to the longest. All is forgotten after an hour. */
const limits = { address: { free: 10, longestSeconds: 300 }, account: { free: 5, longestSeconds: 300 } } as const;
const forgottenAfterSeconds = 3600;

/**
 * Slows guessing down, by address and by account, for all processes together. Nobody is ever locked out: a pause ends after five minutes,
 * and a browser in which this account was signed in before is counted by itself, so that strangers cannot use up its attempts.
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
  // One passes, and for as long as its pause lasts nobody else.
  const gate = new RateLimiterPostgres({ ...store, keyPrefix: 'sign-in-pause', points: 1, duration: 1 });

  const pass = async ({ key, free, longestSeconds }: Counter): Promise<number> => {
    // Counted before it is decided, so that a hundred at once are not all the first one.
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
        // Who is turned away has tried nothing, and does not make the next pause longer.
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

/** The keys are hashes: a name that was mistyped may be a password. */
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
