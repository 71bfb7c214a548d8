/**
 * The texts of the receipt. The specification prescribes headings, buttons and toasts (sections 2.4
 * and 8).
 */
export const receiptTexts = {
  successHeading: 'Payment Successful!',
  successLead: 'Thank you. Your order is booked.',
  failedHeading: 'Payment Failed',
  loadingHeading: 'Loading your receipt',
  confirmingHeading: 'We are confirming your payment',
  unavailableHeading: 'Your receipt could not be loaded',
  unknownHeading: 'No Payment Found',
  expiredHeading: 'This receipt has ended',
  expired: 'The link of a receipt works for 90 days. Please call us if you need it again.',

  paymentTitle: 'Payment',
  paymentId: 'Payment ID',
  amount: 'Amount',
  date: 'Date',
  cardTerm: 'Card',
  card: (brand: string, lastFour: string) => `${brand} ending in ${lastFour}`,
  orderNumber: 'Order number',
  receiptNumber: 'Receipt number',
  printedHeading: 'Receipt',

  refundsTitle: 'Refunds',
  refundsHint: 'Banks usually take a few business days to show a refund.',
  refundFailed: 'This refund did not go through. Please call us if you have not heard from us yet.',
  refundTypes: {
    full: 'Full refund',
    partial: 'Partial refund',
    reimbursement: 'Paid back otherwise',
    'second-charge': 'Return of a second charge',
  },
  refundStatuses: { pending: 'Pending', completed: 'Completed', failed: 'Failed' },
  paid: 'Paid',
  remainsPaid: 'Remains paid',
  refundedLead: 'This payment was refunded in full.',
  mailComing: (email: string) => `A confirmation is on its way to ${email}.`,
  mailSent: (email: string) => `We sent a confirmation to ${email}.`,
  squareReceipt: 'View Square’s receipt',
  print: 'Print receipt',
  home: 'Return to Home',
  tryAgain: 'Try Again',
  checkAgain: 'Check again',
  orderTitle: 'Your order',
  customerTitle: 'Your details',
  name: 'Name',
  phone: 'Phone',
  address: 'Pickup address',
  wish: 'You asked for',
  driverNote: 'For the driver',
  windows: { morning: 'in the morning', afternoon: 'in the afternoon', evening: 'in the evening' } as Readonly<
    Record<string, string>
  >,
  anyDay: 'any day',
  map: (site: string) => `Map of ${site}`,
  mapShort: 'Map',
  calendar: 'Add to calendar',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  linkCopiedHint: 'It opens this receipt on any device for 90 days, without your contact details.',
  linkNotCopied: 'The link could not be copied',
  nextTitle: 'What happens next',

  dropOff: 'Bring your rugs to one of our two locations:',
  dropOffOtherwise: 'Bring your rugs to us:',
  book: 'Book your drop-off',
  call: 'Questions? Call us at',
  pickup: 'Our team will reach out to schedule your pickup, available',
  pickupWithin: 'within 1-5 days.',

  browserOnly:
    'Your payment went through. Our server could not be reached just now, so this is the order as your browser remembers it.',
  stillConfirming: 'Square is still confirming this payment. There is nothing for you to do; please do not pay again.',
  verificationFailed: 'Square does not confirm this payment. Please call us before you pay again.',
  confirming:
    'Your payment is being made and its outcome is not known yet. Please do not pay again. This usually takes less than a minute.',
  unpaid:
    'This payment did not go through and your card was not charged. You can try again with the same or another card.',
  unavailable: 'We could not reach our server. If you have paid, your payment is safe. Please try again in a moment.',
  missing: "We couldn't find your payment details. You will be taken to the home page in a moment.",
  unknown: "We couldn't find your payment details. If you have paid, please call us and we will find your order.",

  noPaymentToast: { title: 'No Payment Found', description: "We couldn't find your payment details." },
} as const;
