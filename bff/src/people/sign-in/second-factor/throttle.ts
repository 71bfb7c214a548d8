import { createHmac } from 'node:crypto';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { countsIn } from '../../../core/database/counting-client.ts';
import { nameOf, secondsToWait, type ThrottleOptions, type Trusted } from '../sign-in-throttle.ts';

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

const codesPerHour = 10;

/** By account, across all processes. */
export function createSecondFactorThrottle({ sql, secret }: ThrottleOptions): SecondFactorThrottle {
  const codes = new RateLimiterPostgres({
    ...countsIn(sql),
    keyPrefix: 'second-factor-code',
    points: codesPerHour,
    duration: 3600,
  });
  const keyOf = (who: string) => createHmac('sha256', secret).update(who).digest('base64url');
  const typing = ({ username, trusted, password }: Typing) =>
    keyOf(trusted === undefined ? `account ${username} ${password}` : nameOf(trusted));
  return {
    // Counted before the code is checked, so that concurrent guesses count.
    code: (who) => secondsToWait(codes.consume(typing(who))),
    codeSucceeded: async (who) => void (await codes.delete(typing(who))),
  };
}
