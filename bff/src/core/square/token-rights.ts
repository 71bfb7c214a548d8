import type { UnknownOutcome } from './card-processor.ts';

/** Square's names of the rights that the access token needs, and what does not work without them. */
export const tokenRights = {
  PAYMENTS_WRITE: 'no card can be charged and no refund can be made',
  PAYMENTS_READ: 'payments and refunds without an answer are not followed up, and none is compared with the ledger',
  DISPUTES_READ: 'disputes are not found',
  PAYOUTS_READ: 'payouts are not recorded, so the books are not compared with the bank account',
  MERCHANT_PROFILE_READ: 'the location is not checked',
} as const;

export type TokenRight = keyof typeof tokenRights;

const rightToList = {
  payments: 'PAYMENTS_READ',
  refunds: 'PAYMENTS_READ',
  disputes: 'DISPUTES_READ',
  payouts: 'PAYOUTS_READ',
} as const satisfies Record<string, TokenRight>;

/** A sentence without a full stop. */
export function explainUnlisted(list: keyof typeof rightToList, outcome: UnknownOutcome): string {
  const { refusedCredentials, isMissingRight } = outcome;
  const why = isMissingRight
    ? `: the access token lacks the right ${rightToList[list]}`
    : refusedCredentials === undefined
      ? ''
      : ': it refuses the access token';
  return `Square did not list its ${list}${why}`;
}
