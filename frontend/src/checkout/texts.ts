import type { CardFieldName, CardProblem } from './square-card.ts';

/** Some are copied from the specification (sections 2.3 and 8). */
export const checkoutTexts = {
  heading: 'Complete Your Payment',
  summaryTitle: 'Order Summary',
  amountToPay: 'Amount to pay:',
  rugs: (count: number) => (count === 1 ? '1 rug' : `${count} rugs`),
  paymentTitle: 'Payment',
  cardGroup: 'Card details',
  cardHint: 'Your card number goes straight to Square. We never see or keep it.',
  orByCard: 'or pay by card',
  /** Without a contact from the cart. */
  withoutContact: 'To pay by card, tell us first how to reach you.',
  enterContact: 'Enter your information',
  pay: (amount: string) => `Pay ${amount}`,
  back: 'Back',
  secure: 'Secure checkout • SSL encrypted payment',
  tryAgain: 'Try again',
  checkNow: 'Check now',

  readingCard: 'Checking your card details…',
  readingWallet: 'Please confirm the payment in your wallet…',
  charging: 'Your payment is being made. Please stay on this page.',
  paid: 'Paid. Opening your receipt…',
  stayOnPage: 'Your payment is being made',
  stayOnPageHint: 'Please stay on this page until it is finished. It takes a few seconds.',

  cardUnavailableTitle: 'The card form could not be loaded',
  cardUnavailable: {
    ApplicationIdInvalid:
      'Card payment is not set up correctly on our side. Nothing was charged. Please contact us, and we take your order another way.',
    ScriptUnavailable:
      'Check your connection, or allow this page to load Square if you use a blocker. Nothing was charged.',
    FormUnavailable: 'Square did not answer. Nothing was charged.',
  } satisfies Record<CardProblem['code'], string>,

  cardInvalidTitle: 'Please check your card details',
  cardFields: {
    cardNumber: 'Card number: as it stands on the card',
    expirationDate: 'Expiration date: month and year',
    cvv: 'CVV: 3 digits on the back, or 4 on the front of American Express',
    postalCode: 'Postal code: of the card’s billing address',
  } satisfies Record<CardFieldName, string>,
  contactIncompleteTitle: 'Your wallet does not tell us how to reach you',
  contactIncomplete: 'Nothing was charged. Enter it in the cart, or correct it in your wallet and try again.',
  cardUnreadableTitle: 'Your card could not be read',
  cardUnreadable: 'Nothing was charged. Check the details and try again, or use another card.',
  verificationCanceledTitle: 'Your bank’s verification was not completed',
  verificationCanceled: 'Nothing was charged. You can try again, or use another card.',
  offlineTitle: 'You are offline',
  offline: 'Nothing was sent and nothing was charged. Press Pay again when you are connected.',
  declinedTitle: 'Your card was not charged',
  returnedTitle: 'Your money is being returned',
  refusedTitle: 'Your order could not be paid',
  refusedHint: 'Nothing was charged.',
  backToCart: 'Back to your cart',
  nothingChargedTitle: 'Nothing was charged',
  nothingCharged:
    'Your last payment did not go through and your card was not charged. You can pay again now. If your bank shows the amount as reserved, it releases it.',

  priceChangedTitle: 'The price of your order has changed',
  priceChanged: (pay: string) =>
    `Nothing was charged. If you agree to the new total, press “${pay}”. If not, go back to change your order.`,

  unsureTitle: 'We are confirming your payment',
  unsure: 'Please do not pay again. We are asking what became of your payment. This usually takes a few seconds.',
  unsureElsewhere:
    'This order is being paid already, in another tab or window. Please do not pay again: this page will show what became of it.',
  unsureSlow:
    'This is taking longer than usual. You can leave this page open, or come back later. Nothing is ever charged twice.',
  unsureOffline: 'You are offline. We will ask again as soon as you are connected.',

  paymentFailedTitle: 'Payment Failed',
  paymentFailedDefault: 'Payment processing failed',
  unexpectedError: 'An unexpected error occurred during payment processing',

  ownTerms: 'By paying you agree to these terms:',
  terms: 'By paying you agree to our',
  and: 'and',
  termsOfService: 'terms of service',
  privacyPolicy: 'privacy policy',
} as const;
