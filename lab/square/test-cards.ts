import type { RefundStatus } from './wire.ts';

/**
 * The token carries the `outcome`, so the browser script sends no request of its own. Real card numbers are never
 * accepted.
 */
export type TestCard = {
  readonly number: string;
  readonly brand: string;
  readonly outcome: string;
  readonly summary: string;
  /** With the same behaviour. */
  readonly inSandbox: boolean;
} & CardBehaviour;

export type CardBehaviour = {
  readonly decline?: { readonly status: 400 | 402; readonly code: string };
  /** No payment is made. */
  readonly tokenError?: 'CARD_TOKEN_USED' | 'CARD_TOKEN_EXPIRED';
  /** PENDING first, approved a moment later. */
  readonly approvesLate?: true;
  /** The money is held, but capturing it is refused. */
  readonly captureRefused?: true;
  /** Square's judgment. */
  readonly risk?: 'HIGH';
  /** `PENDING`: they stay pending. */
  readonly refundsEndAs?: RefundStatus;
  readonly fault?: CardFault;
};

export type CardFault = {
  readonly on: 'authorize' | 'complete';
  readonly kind: 'hang-after' | 'drop-before' | 'drop-after' | 'truncate' | 'status' | 'status-after' | 'delay';
  readonly status?: number;
  readonly ms?: number;
  readonly times?: number;
};

/** Every step succeeds. */
export const goodCard: TestCard = {
  number: '4111111111111111',
  brand: 'VISA',
  outcome: 'ok',
  summary: 'Pays.',
  inSandbox: true,
};

/** With the behaviour that they have in Square's sandbox. */
const sandboxCards: readonly Omit<TestCard, 'inSandbox'>[] = [
  goodCard,
  { number: '5105105105105100', brand: 'MASTERCARD', outcome: 'ok-mastercard', summary: 'Pays.' },
  {
    number: '340000000000009',
    brand: 'AMERICAN_EXPRESS',
    outcome: 'ok-amex',
    summary: 'Pays. CVV of 4 digits.',
  },
  { number: '6011000000000004', brand: 'DISCOVER', outcome: 'ok-discover', summary: 'Pays.' },
  { number: '30000000000004', brand: 'DISCOVER_DINERS', outcome: 'ok-diners', summary: 'Pays.' },
  { number: '3569990010095841', brand: 'JCB', outcome: 'ok-jcb', summary: 'Pays.' },
  {
    number: '4000000000000002',
    brand: 'VISA',
    outcome: 'declined',
    summary: 'Declined by the bank.',
    decline: { status: 400, code: 'GENERIC_DECLINE' },
  },
];

/** They exist only here, so that things go wrong. */
const inventedCards: readonly Omit<TestCard, 'brand' | 'inSandbox'>[] = [
  {
    number: '4310000000201019',
    outcome: 'sca-required',
    summary: 'Declined: the bank wants the buyer to confirm first.',
    decline: { status: 402, code: 'CARD_DECLINED_VERIFICATION_REQUIRED' },
  },
  {
    number: '4000000000009995',
    outcome: 'insufficient',
    summary: 'Declined: not enough money.',
    decline: { status: 400, code: 'INSUFFICIENT_FUNDS' },
  },
  {
    number: '4000000000000069',
    outcome: 'expired',
    summary: 'Declined: the card has expired.',
    decline: { status: 400, code: 'CARD_EXPIRED' },
  },
  {
    number: '4000000000000101',
    outcome: 'token-expired',
    summary: 'The card entry has expired; it must be entered again. No payment is made.',
    tokenError: 'CARD_TOKEN_EXPIRED',
  },
  {
    number: '4000000000000200',
    outcome: 'answer-lost',
    summary: 'The money is held, but the answer never comes.',
    fault: { on: 'authorize', kind: 'hang-after' },
  },
  {
    number: '4000000000000309',
    outcome: 'answer-cut',
    summary: 'The money is held, and the connection breaks in the middle of the answer.',
    fault: { on: 'authorize', kind: 'truncate' },
  },
  {
    number: '4000000000000408',
    outcome: 'request-lost',
    summary: 'The connection breaks before Square hears of the payment.',
    fault: { on: 'authorize', kind: 'drop-before' },
  },
  {
    number: '4000000000000507',
    outcome: 'square-down',
    summary: 'Square answers 500 three times; nothing is held.',
    fault: { on: 'authorize', kind: 'status', status: 500, times: 3 },
  },
  {
    number: '4000000000000606',
    outcome: 'gateway-timeout',
    summary: 'The money is held, and Square answers 504.',
    fault: { on: 'authorize', kind: 'status-after', status: 504 },
  },
  {
    number: '4000000000000705',
    outcome: 'slow',
    summary: 'Pays, after six seconds.',
    fault: { on: 'authorize', kind: 'delay', ms: 6000 },
  },
  {
    number: '4000000000000804',
    outcome: 'pending',
    summary: 'Square is undecided for a moment, then holds the money.',
    approvesLate: true,
  },
  {
    number: '4000000000000903',
    outcome: 'approved-only',
    summary: 'The money is held, but taking it is refused.',
    captureRefused: true,
  },
  {
    number: '4000000000001000',
    outcome: 'capture-answer-lost',
    summary: 'The money is taken, but the answer is lost.',
    fault: { on: 'complete', kind: 'drop-after' },
  },
  {
    number: '4000000000001109',
    outcome: 'capture-down',
    summary: 'Held; Square answers 503 twice when the money is to be taken.',
    fault: { on: 'complete', kind: 'status', status: 503, times: 2 },
  },
  {
    number: '4000000000001208',
    outcome: 'refund-fails',
    summary: 'Pays; a refund is pending and then fails.',
    refundsEndAs: 'FAILED',
  },
  {
    number: '4000000000001307',
    outcome: 'refund-rejected',
    summary: 'Pays; a refund is pending and then rejected.',
    refundsEndAs: 'REJECTED',
  },
  {
    number: '4000000000001406',
    outcome: 'refund-pending',
    summary: 'Pays; a refund stays pending until it is settled by hand (/__sim/refunds/{id}/settle).',
    refundsEndAs: 'PENDING',
  },
  {
    number: '4000000000001505',
    outcome: 'risky',
    summary: 'Pays; Square says that the payment may be fraud.',
    risk: 'HIGH',
  },
];

export const testCards: readonly TestCard[] = [
  ...sandboxCards.map((card) => ({ ...card, inSandbox: true })),
  ...inventedCards.map((card) => ({ ...card, brand: 'VISA', inSandbox: false })),
];

/** Values that decline a good card, as in Square's sandbox. */
export const fieldTriggers = [
  { field: 'cvv', value: '911', outcome: 'cvv', summary: 'Declined: the CVV is wrong.' },
  { field: 'postalCode', value: '99999', outcome: 'postal', summary: 'Declined: the postal code does not match.' },
  {
    field: 'expirationDate',
    value: '01/40',
    outcome: 'expiration',
    summary: 'Declined: the expiration date is wrong.',
  },
] as const;

const triggeredDeclines: readonly TestCard[] = [
  { ...goodCard, outcome: 'cvv', summary: 'CVV 911', decline: { status: 400, code: 'CVV_FAILURE' } },
  { ...goodCard, outcome: 'postal', summary: '99999', decline: { status: 400, code: 'ADDRESS_VERIFICATION_FAILURE' } },
  { ...goodCard, outcome: 'expiration', summary: '01/40', decline: { status: 400, code: 'INVALID_EXPIRATION' } },
];

export function cardWithOutcome(outcome: string): TestCard | undefined {
  return cardsByOutcome.get(outcome);
}

const cardsByOutcome = new Map([...testCards, ...triggeredDeclines].map((card) => [card.outcome, card]));
