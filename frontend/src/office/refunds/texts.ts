export const refundListTexts = {
  title: 'Refunds',
  heading: 'All Refunds',
  note: 'Complete refund history across all orders',
  loading: 'Loading refunds...',
  loadFailed: 'The refunds could not be loaded',
  search: 'Search refunds',
  searchHint: 'Order number, or an id of the technical details',
  filters: 'Filter refunds',
  status: 'Status',
  anyStatus: 'Any status',
  pages: 'Pages of refunds',
  results: (from: string, to: string, total: string) => `Showing ${from} to ${to} of ${total} results`,
} as const;
