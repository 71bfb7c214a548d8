/** For a business without terms of its own. */
export const policyTexts = {
  termsOfService: {
    title: 'Terms of service',
    sentences: [
      'You pay the total shown above, once, for cleaning the rugs listed there.',
      'A size may be an estimate: our technicians verify it on receipt.',
      'If you booked White Glove Pickup & Delivery, our team contacts you to schedule it.',
    ],
  },
  privacyPolicy: {
    title: 'Privacy policy',
    sentences: [
      'Your name, email, phone and, for pickup, your address are used to carry out this order and to reach you about it.',
      'Square processes your card. We do not see or keep your card number.',
    ],
  },
} as const;
export type PolicyName = keyof typeof policyTexts;
