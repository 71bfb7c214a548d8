import { createFileRoute } from '@tanstack/react-router';
import type { RefundSearch } from '../admin/layout/list-search.ts';
import { RefundsPage } from '../admin/refunds/refunds-page.tsx';

export const Route = createFileRoute('/admin/refunds')({
  // The page validates it with `refundSearch`: code in a route file is in every customer's first
  // load.
  validateSearch: (given: object) => given as RefundSearch,
  component: RefundsPage,
});
