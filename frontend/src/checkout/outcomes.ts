import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { CardFieldName, CardForm, CardProblem } from './square-card.ts';

/**
 * One payment attempt with one card token. It is stored from before the request until its outcome
 * is known. So neither a lost answer nor a reload can lead to a second payment.
 */
export type PaymentAttempt = {
  readonly idempotencyKey: string;
  readonly orderId: string;
  /** ISO 8601 instant. */
  readonly startedAt: string;
};

/** The result of creating the card form. */
export type CardFormEvent =
  | { readonly type: 'form.shown'; readonly form: CardForm }
  | { readonly type: 'form.failed'; readonly problem: CardProblem };

/** The result of reading the card. Every token has its own attempt and idempotency key. */
export type CardEvent =
  | {
      readonly type: 'card.read';
      readonly token: string;
      readonly attempt: PaymentAttempt;
      /** With the contact of the wallet. */
      readonly order: CurrentOrder;
    }
  | { readonly type: 'card.contactIncomplete'; readonly mistakes: readonly string[] }
  | { readonly type: 'card.invalid'; readonly fields: readonly CardFieldName[] }
  | { readonly type: 'card.verificationCanceled' }
  /** The customer closed the wallet. This needs no notice. */
  | { readonly type: 'card.dismissed' }
  | { readonly type: 'card.unreadable' };

/** The server wrote `message` for the customer. */
export type Refusal = {
  readonly message: string;
  /** Whether the customer must change the cart. If not, the same order may be paid later. */
  readonly isAboutCart: boolean;
};

/** The server wrote `message` for the customer. */
export type Decline = {
  readonly message: string;
  /**
   * Whether the card was charged after the attempt had been cancelled, so that the money goes back.
   */
  readonly isReturned?: boolean | undefined;
};

/** The server knows the outcome of the attempt. */
export type KnownOutcome =
  | { readonly type: 'payment.captured'; readonly paymentId: string }
  | ({ readonly type: 'payment.declined' } & Decline)
  | { readonly type: 'payment.voided' }
  /** The server refused the request before charging a card. */
  | ({ readonly type: 'payment.refused' } & Refusal)
  /** The price has changed since the quote. Nothing was charged. `order` has the current price. */
  | { readonly type: 'payment.repriced'; readonly order: CurrentOrder };

/**
 * The outcome is not known yet. The server may name another attempt that is in progress for the
 * same order.
 */
export type UnsureOutcome = {
  readonly type: 'payment.unsure';
  readonly inProgress?: Pick<PaymentAttempt, 'idempotencyKey' | 'orderId'>;
  /** The server's words, when it takes so long that the shop was told. Otherwise empty. */
  readonly message?: string;
};

export type ChargeEvent = KnownOutcome | UnsureOutcome;

export type LookUpEvent =
  | KnownOutcome
  | UnsureOutcome
  /** The server does not know the attempt. Its request may still arrive. */
  | { readonly type: 'lookUp.unheard' }
  | { readonly type: 'lookUp.unreachable' };

/** A message near the Pay button. */
export type Notice =
  | { readonly code: 'CardInvalid'; readonly fields: readonly CardFieldName[] }
  | { readonly code: 'ContactIncomplete'; readonly mistakes: readonly string[] }
  | { readonly code: 'CardUnreadable' }
  | { readonly code: 'VerificationCanceled' }
  | { readonly code: 'Offline' }
  | ({ readonly code: 'Declined' } & Decline)
  | ({ readonly code: 'Refused' } & Refusal)
  | { readonly code: 'NothingCharged' };
