export const resolveTexts = {
  actions: 'Resolve',
  explain: {
    button: 'Mark as Explained',
    title: 'Mark this difference as explained?',
    consequence:
      'It leaves the list and stays in the table of resolved differences, with your name. No money moves and nothing is booked.',
    done: 'The difference is marked as explained',
    failed: 'The difference could not be marked',
  },
  refund: {
    button: 'Refund at Square',
    action: (amount: string) => `Refund ${amount}`,
    title: 'Refund this payment?',
    consequence: 'Square returns what is left of this payment to the card that paid it. This cannot be undone.',
    done: 'Square was asked to refund the payment. The list changes with the next comparison.',
    failed: 'The payment was not refunded',
  },
  assign: {
    button: 'Assign to an Order',
    action: (amount: string) => `Assign ${amount}`,
    title: 'Assign this payment to an order?',
    consequence:
      'What is left of the payment moves from unidentified receipts to sales outside Kilim. The order shows it in its timeline. The order’s own amounts stay as they are.',
    done: 'The payment is assigned to the order',
    failed: 'The payment was not assigned',
  },
  writeOff: {
    button: 'Write Off',
    action: (amount: string) => `Write Off ${amount}`,
    title: 'Write this payment off?',
    consequence:
      'What is left of the payment moves from unidentified receipts to Square adjustments. Square is asked for nothing.',
    done: 'The payment is written off',
    failed: 'The payment was not written off',
  },
  writeItemOff: {
    button: 'Write Off',
    action: (amount: string) => `Write Off ${amount}`,
    title: 'Write this open item off?',
    consequence:
      'The amount moves from Square clearing to Square adjustments. If a payout brings it later, it returns to the list.',
    done: 'The open item is written off',
    failed: 'The open item was not written off',
  },
  undo: {
    button: 'Undo',
    title: 'Undo this decision?',
    consequence:
      'What was booked is booked back, dated today. With the next comparison the difference returns to the list, if it still stands.',
    done: 'The decision is undone',
    failed: 'The decision could not be undone',
  },
  undone: (name: string, at: string) => `Undone by ${name}, ${at}`,
  order: 'Order number',
  orderHint: 'Such as G5P0-F518. It stands on the page of the order and on the receipt.',
  noOrder: 'Enter the number of the order.',
  noSuchOrder: 'There is no single order with this number.',
  item: (what: string, amount: string) => `${what}: ${amount}`,
  reason: 'Reason',
  choose: 'Please choose',
  noReason: 'Please choose a reason.',
  reasons: {
    SettledAtSquare: 'Settled in the dashboard of Square',
    BookedByAccountant: 'Booked by the accountant outside Kilim',
    AgreedWithCustomer: 'Agreed with the customer',
    TestPayment: 'A test payment',
    TooSmall: 'Too small to pursue',
  },
  resolved: 'Resolved differences',
  resolvedNote: 'What people explained, refunded, assigned, wrote off and undid. Newest first.',
  by: 'Resolved by',
} as const;
