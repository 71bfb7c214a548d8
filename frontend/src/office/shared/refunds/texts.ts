import type { ReimbursementMethod } from '@kilim/domain/order/events';

export const splitTexts = {
  services: 'Services',
  addOns: 'Add-ons',
  delivery: 'Delivery',
  deliveryMinimum: 'Delivery Minimum',
  salesTax: 'Sales Tax',
} as const;

export const methodTexts = { check: 'Check', cash: 'Cash', 'bank-transfer': 'Bank transfer' } satisfies Record<
  ReimbursementMethod,
  string
>;

export const refundCardTexts = {
  paidBy: (method: string) => `Paid by ${method.toLowerCase()}`,
  paid: 'Paid',
  paidText: (method: string, day: string, reference: string | null) =>
    [method, day, ...(reference === null ? [] : [reference])].join(', '),
  emptyTitle: 'No Refunds Found',
  emptyOfOrder: 'This order has no refunds.',
  emptyOfAll: 'No refunds have been processed yet.',
  emptyOfFilter: 'No refund matches your search and filters.',
  headingOfOrder: 'Order Refunds',
  headingOfAll: 'Refund History',
  amount: (amount: string) => `${amount} Refund`,
  full: 'Full Refund',
  partial: 'Partial Refund',
  reason: 'Reason',
  order: 'Order',
  orderId: 'Order ID',
  refundId: 'Refund ID',
  squareRefundId: 'Square refund ID',
  processed: 'Processed',
  by: 'By',
  notes: 'Notes',
  items: 'Refunded Items',
  item: (number: number, amount: string) => `Rug #${number}: ${amount}`,
  deliveryMinimum: (amount: string) => `Delivery minimum: ${amount}`,
  madeOf: 'For',
  failure: 'Why it failed',
} as const;
