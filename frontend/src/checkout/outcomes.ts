import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { CardFieldName, CardForm, CardProblem } from './square-card.ts';

/**
 * With one card token. Stored from before the request until the outcome is known, so neither a lost answer nor a reload
 * can lead to a second payment.
 */
export type PaymentAttempt = {
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly startedAt: string;
};

export type CardFormEvent =
  | { readonly type: 'form.shown'; readonly form: CardForm }
  | { readonly type: 'form.failed'; readonly problem: CardProblem };

/** Every token has its own attempt and idempotency key. */
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
  /** This needs no notice. */
  | { readonly type: 'card.dismissed' }
  | { readonly type: 'card.unreadable' };

/** The server wrote `message` for the customer. */
export type Refusal = {
  readonly message: string;
  /** The customer must change the cart. If not, the same order may be paid later. */
  readonly isAboutCart: boolean;
};

export type Decline = {
  readonly message: string;
  /** Charged after the attempt was cancelled: the money goes back. */
  readonly isReturned?: boolean | undefined;
};

export type KnownOutcome =
  | { readonly type: 'payment.captured'; readonly paymentId: string }
  | ({ readonly type: 'payment.declined' } & Decline)
  | { readonly type: 'payment.voided' }
  /** No card was charged. */
  | ({ readonly type: 'payment.refused' } & Refusal)
  /** Nothing was charged. `order` has the current price. */
  | { readonly type: 'payment.repriced'; readonly order: CurrentOrder };

/** The server may name another attempt in progress for the same order. */
export type UnsureOutcome = {
  readonly type: 'payment.unsure';
  readonly inProgress?: Pick<PaymentAttempt, 'idempotencyKey' | 'orderId'>;
  /** The server's words when the shop was told of the delay; otherwise empty. */
  readonly message?: string;
};

export type ChargeEvent = KnownOutcome | UnsureOutcome;

export type LookUpEvent =
  | KnownOutcome
  | UnsureOutcome
  /** The server does not know the attempt. Its request may still arrive. */
  | { readonly type: 'lookUp.unheard' }
  | { readonly type: 'lookUp.unreachable' };

export type Notice =
  | { readonly code: 'CardInvalid'; readonly fields: readonly CardFieldName[] }
  | { readonly code: 'ContactIncomplete'; readonly mistakes: readonly string[] }
  | { readonly code: 'WalletSilent' }
  | { readonly code: 'CardUnreadable' }
  | { readonly code: 'VerificationCanceled' }
  | { readonly code: 'Offline' }
  | ({ readonly code: 'Declined' } & Decline)
  | ({ readonly code: 'Refused' } & Refusal)
  | { readonly code: 'NothingCharged' };
