/** Also the end of the stream `admin-<name>`. */
export const usernamePattern = /^[a-z0-9][a-z0-9._@-]{0,63}$/;

/** Neither the password nor its hash is ever in the ledger. */
export type PasswordChanged = {
  readonly type: 'PasswordChanged';
  readonly username: string;
  /** `reset` by the operator, or by the person with a link that an owner made. */
  readonly how: 'changed' | 'reset';
  readonly endedSessions: number;
};

/** Longer passwords are judged by their strength. */
export const shortestPassword = 4;
/** Limits the cost of hashing. */
export const longestPassword = 128;

export const passwordTexts = {
  tooShort: `Password must be at least ${shortestPassword} characters long`,
  tooLong: `Password must be at most ${longestPassword} characters long`,
  tooEasy: 'Password is too easy to guess',
  stolen: 'Password is in a public list of stolen passwords',
} as const;
