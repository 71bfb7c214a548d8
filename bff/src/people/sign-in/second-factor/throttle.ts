import { createHmac } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { clientOver } from '../../../core/database/counting-client.ts';
import type { Sql } from '../../../core/database/database.ts';
import { nameOf, type Trusted } from '../sign-in-throttle.ts';

/** Strangers cannot use up the attempts of a trusted browser. */
export type Typing = {
  readonly username: string;
  readonly trusted: Trusted | undefined;
  /** Anything that a new password changes: it begins a new count, so a thief of the old one delays nobody. */
  readonly password: string;
};

export type SecondFactorThrottle = {
  /** @returns the seconds to wait; 0 allows this attempt. */
  readonly code: (who: Typing) => Promise<number>;
  readonly codeSucceeded: (who: Typing) => Promise<void>;
};

export type SecondFactorThrottleOptions = {
  readonly sql: Sql;
  /** Hides names and addresses in the database's keys. All processes need the same secret. */
  readonly secret: string;
};

const codesPerHour = 10;

/** By account, across all processes. */
export function createSecondFactorThrottle({ sql, secret }: SecondFactorThrottleOptions): SecondFactorThrottle {
  const store = {
    storeClient: clientOver(sql),
    storeType: 'client',
    schemaName: 'kilim',
    tableName: 'throttle',
    tableCreated: true,
  };
  const codes = new RateLimiterPostgres({
    ...store,
    keyPrefix: 'second-factor-code',
    points: codesPerHour,
    duration: 3600,
  });
  const keyOf = (who: string) => createHmac('sha256', secret).update(who).digest('base64url');
  const typing = ({ username, trusted, password }: Typing) =>
    keyOf(trusted === undefined ? `account ${username} ${password}` : nameOf(trusted));
  return {
    // Counted before the code is checked, so that concurrent guesses count.
    code: (who) => consume(codes, typing(who)),
    codeSucceeded: async (who) => void (await codes.delete(typing(who))),
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}
