export const differenceTexts = {
  title: 'We measured your rugs',
  intro: (number: string) =>
    `They belong to your order ${number}, and cost more than you paid, as shown below. We clean them when you have paid, or call us to talk about it.`,
  measuring: 'How we measure:',
  rugs: 'Your rugs',
  rug: (number: number) => `Rug #${number}`,
  sizes: (ordered: string, measured: string) => `ordered ${ordered}, measured ${measured}`,
  same: (size: string) => `${size}, as ordered`,
  /** In the order of a rug's charges. */
  charges: ['Cleaning', 'Pickup & delivery', 'Stain protection', 'Green Pad', 'Sales tax'],
  deliveryMinimum: 'Delivery Minimum',
  total: 'To pay',
  expires: (day: string) => `You can pay here until ${day}.`,
  paidTitle: 'Thank you. The difference is paid.',
  paidText: (number: string) => `Nothing more is to be paid for order ${number}.`,
  receipt: 'Open the receipt',
  endedTitle: 'Nothing is to be paid here',
  ended: 'This link is not valid any more. If you have a question, please call us.',
  failedTitle: 'This page could not be loaded',
  failed: 'Please check your connection and try again. Nothing was charged.',
  again: 'Try again',
  call: 'Questions? Call',
} as const;
