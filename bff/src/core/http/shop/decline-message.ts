import { formatDollars } from '@kilim/domain/money';
import type { VoidReason } from '@kilim/domain/order/events';
import { refusedEmailCode } from '../../square/square-answer.ts';
import type { ReturnedCharge } from '../../use-case/returned-charge.ts';

/** By Square's error code. A code that would help an attacker who tests stolen cards is shown as a plain decline. */
const messages: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'Your card has insufficient funds. Please try another card.',
  CVV_FAILURE: 'The security code (CVV) does not match your card. Please check it and try again.',
  VERIFY_CVV_FAILURE: 'The security code (CVV) does not match your card. Please check it and try again.',
  ADDRESS_VERIFICATION_FAILURE: 'The postal code does not match your card. Please check it and try again.',
  VERIFY_AVS_FAILURE: 'The postal code does not match your card. Please check it and try again.',
  INVALID_EXPIRATION: 'The expiration date does not match your card. Please check it and try again.',
  EXPIRATION_FAILURE: 'The expiration date does not match your card. Please check it and try again.',
  BAD_EXPIRATION: 'The expiration date does not match your card. Please check it and try again.',
  CARD_EXPIRED: 'Your card has expired. Please try another card.',
  CARD_NOT_SUPPORTED: 'This kind of card is not accepted here. Please try another card.',
  TRANSACTION_LIMIT: 'The amount is above your card’s limit. Please try another card or call your bank.',
  CARD_DECLINED_CALL_ISSUER: 'Your bank declined the payment. Please call your bank or try another card.',
  CARD_DECLINED_VERIFICATION_REQUIRED:
    'Your bank asks for a verification. Please try again and confirm it with your bank.',
  CARD_TOKEN_EXPIRED: 'The card details have expired. Please enter your card again.',
  CARD_TOKEN_USED: 'The card details were used before. Please enter your card again.',
  SOURCE_EXPIRED: 'The card details have expired. Please enter your card again.',
  [refusedEmailCode]: 'Your email address was not accepted. Please check it in your cart.',
  INVALID_VALUE: 'Your payment was not accepted, and you have not been charged. Please contact us to pay.',
  SOURCE_USED: 'The card details were used before. Please enter your card again.',
};

export function declineMessage(code: string): string {
  return messages[code] ?? 'Your card was declined. Please try another card.';
}

type Answer = { readonly code: string; readonly message: string };

const cancelled =
  'We could not confirm your payment, so it was cancelled and you have not been charged. Please try again.';
const unavailable =
  'Card payment is not available right now, and you have not been charged. Please try again later, or contact us to pay.';

/** Neither charged nor declined. */
export function voidedAnswer(reason: VoidReason): Answer {
  return reason === 'CredentialsRefused'
    ? { code: 'CardPaymentUnavailable', message: unavailable }
    : { code: 'PaymentVoided', message: cancelled };
}

/** Square charged the card although the customer was told otherwise. */
export function chargedAnswer({ amount, isReturned }: ReturnedCharge): Answer {
  const charged = `This payment was cancelled, but your card was charged ${formatDollars(amount)} all the same.`;
  const message = isReturned
    ? `${charged} We have returned the full amount to your card, so it does not pay for your order. Your bank may need a few days to show it.`
    : `${charged} We are returning the full amount to your card. This charge does not pay for your order.`;
  return { code: 'PaymentReturned', message };
}
