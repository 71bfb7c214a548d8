/** For a business without terms of its own. */
export const policyTexts = {
  termsOfService: {
    title: 'Terms of service',
    sentences: [
      'You pay the total shown above for cleaning the rugs listed there, at the sizes listed there.',
      'A size may be an estimate: our technicians verify it on receipt.',
      'If your rugs are smaller, we refund the difference. If they are larger, we ask you before we clean them, and send a link to pay the difference. A small difference we may let go.',
      'A minimum price may absorb a difference: then nothing is to be refunded or paid.',
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
