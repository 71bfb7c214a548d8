import type { PickupWindow } from '@kilim/domain/contact';
import { type Cents, formatDollars, formatWholeDollars } from '@kilim/domain/money';

/** Of the second step, which loads after the first. */
export const cartTexts = {
  cartRugs: (count: number) => (count === 1 ? 'Your rug' : `Your ${count} rugs`),
  showAllRugs: (count: number) => `Show all ${count} rugs`,
  backToRugs: 'Back to Rugs',

  delivery: 'Delivery Options',
  deliveryNames: { dropoff: 'Drop-off', pickup: 'White Glove Pickup & Delivery' },
  deliveryAdds: (amount: Cents) => (amount === 0 ? 'Free' : `+${formatDollars(amount)}`),
  dropoffHint: 'Bring your rugs to us.',
  pickupHint: 'We collect your rugs within 1-5 days and bring them back clean.',
  pickupPrice: (rate: Cents, minimum: Cents) =>
    [
      rate === 0 ? 'Free' : `${formatDollars(rate)} per sq ft`,
      ...(minimum === 0 ? [] : [`${formatWholeDollars(minimum)} minimum order`]),
    ].join(', '),

  contact: 'Your Information',
  contactReview: '(Please review this section)',
  contactFields: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    address: 'Street address',
    addressLine2: 'Apartment, suite (optional)',
    city: 'City',
    state: 'State',
    zipCode: 'ZIP Code',
    pickupDay: 'Preferred day',
    pickupWindow: 'Preferred time',
    driverNote: 'Note for the driver (optional)',
  },
  wishesHeading: 'When may we come?',
  anyDay: 'Any day',
  anyTime: 'Any time',
  pickupWindows: {
    morning: 'Morning, 8 am to 12 pm',
    afternoon: 'Afternoon, 12 to 4 pm',
    evening: 'Evening, 4 to 7 pm',
  } satisfies Record<PickupWindow, string>,
  driverNoteHint: 'A gate code, where to park, which door.',
  express: 'Continue with Apple Pay or Google Pay',
  whyContact: 'So that we can reach you about your rugs.',
  emailHint: 'Your receipt goes here.',
  didYouMean: 'Did you mean:',
  phoneHint: 'Ten digits, for questions about your order.',
  addressHeading: 'Pickup address',

  submit: 'Continue to payment',
  submitting: 'Preparing your service...',
  contactIncomplete: 'Please complete all required contact information to continue',
  secure: 'Secure checkout • SSL encrypted payment',
  tooLarge: 'Let us arrange this order with you',
  tooLargeHint: (largest: Cents) =>
    `Orders above ${formatWholeDollars(largest)} are not paid online. Please contact us: everything you entered is kept.`,

  failed: 'We could not prepare your order',
  failedOffline: 'You are offline. Everything you entered is kept; please try again when you are online.',
  failedNoAnswer: 'Our server did not answer. Everything you entered is kept; please try again.',
} as const;
