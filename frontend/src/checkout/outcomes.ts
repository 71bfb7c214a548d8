import type { CurrentOrder } from '../shared/current-order.ts';
import type { CardFieldName, CardForm, CardProblem } from './square-card.ts';

/**
 * One attempt to pay, with one card token. It is remembered from before the request is sent until
 * its outcome is known, so that neither a lost answer nor a reload ever invites a second payment.
 */
export type PaymentAttempt = {
  readonly idempotencyKey: string;
  readonly orderId: string;
  /** ISO 8601 instant. */
  readonly startedAt: string;
};

/** What became of the card form. */
export type CardFormEvent =
  | { readonly type: 'form.shown'; readonly form: CardForm }
  | { readonly type: 'form.failed'; readonly problem: CardProblem };

/**
 * What reading the card gave. Every token comes with an attempt, and thus an idempotency key, of
 * its own.
 */
export type CardEvent =
  | { readonly type: 'card.read'; readonly token: string; readonly attempt: PaymentAttempt }
  | { readonly type: 'card.invalid'; readonly fields: readonly CardFieldName[] }
  | { readonly type: 'card.verificationCanceled' }
  /** The customer closed their wallet, which needs no comment. */
  | { readonly type: 'card.dismissed' }
  | { readonly type: 'card.unreadable' };

/** `message` is the server's and fit to show. */
export type Refusal = {
  readonly message: string;
  /** Whether the cart is what has to change; otherwise the same order may be paid later. */
  readonly isAboutCart: boolean;
};

/** `message` is the server's and fit to show. */
export type Decline = {
  readonly message: string;
  /** The card was charged after the attempt had been given up, and the money goes back. */
  readonly isReturned?: boolean | undefined;
};

/** The server said what became of the attempt. */
export type KnownOutcome =
  | { readonly type: 'payment.captured'; readonly paymentId: string }
  | ({ readonly type: 'payment.declined' } & Decline)
  | { readonly type: 'payment.voided' }
  /** The request was turned down before any card was asked. */
  | ({ readonly type: 'payment.refused' } & Refusal)
  /**
   * The total is not the one that was shown. Nothing was charged; this is the order at today's
   * price.
   */
  | { readonly type: 'payment.repriced'; readonly order: CurrentOrder };

/** Nobody knows yet. The server may name another attempt that is in progress for the same order. */
export type UnsureOutcome = {
  readonly type: 'payment.unsure';
  readonly inProgress?: Pick<PaymentAttempt, 'idempotencyKey' | 'orderId'>;
};

export type ChargeEvent = KnownOutcome | UnsureOutcome;

export type LookUpEvent =
  | KnownOutcome
  | UnsureOutcome
  /** The server has never heard of the attempt. The request may still be on its way. */
  | { readonly type: 'lookUp.unheard' }
  | { readonly type: 'lookUp.unreachable' };

/** What the customer is told beside the Pay button. */
export type Notice =
  | { readonly code: 'CardInvalid'; readonly fields: readonly CardFieldName[] }
  | { readonly code: 'CardUnreadable' }
  | { readonly code: 'VerificationCanceled' }
  | { readonly code: 'Offline' }
  | ({ readonly code: 'Declined' } & Decline)
  | ({ readonly code: 'Refused' } & Refusal)
  | { readonly code: 'NothingCharged' };
