/** In the order in which they are offered. */
export const secondFactorKinds = ['passkey', 'one-time-code'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** Neither its name nor its secret is ever in the ledger. */
export type SecondFactorAdded = {
  readonly type: 'SecondFactorAdded';
  readonly username: string;
  readonly kind: SecondFactorKind;
};

export type SecondFactorRemoved = {
  readonly type: 'SecondFactorRemoved';
  readonly username: string;
  readonly kind: SecondFactorKind;
};

/** The earlier ones are no longer valid. */
export type RecoveryCodesMade = {
  readonly type: 'RecoveryCodesMade';
  readonly username: string;
  readonly count: number;
};

/** An owner or the operator removed all second factors of a person who lost them. */
export type SecondFactorReset = {
  readonly type: 'SecondFactorReset';
  readonly username: string;
  readonly endedSessions: number;
};

export type SecondFactorEvent = SecondFactorAdded | SecondFactorRemoved | RecoveryCodesMade | SecondFactorReset;
