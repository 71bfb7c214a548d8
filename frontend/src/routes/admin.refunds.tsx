import { createFileRoute } from '@tanstack/react-router';
import type { RefundSearch } from '../admin/layout/list-search.ts';
import { RefundsPage } from '../admin/refunds/refunds-page.tsx';

export const Route = createFileRoute('/admin/refunds')({
  // The page itself reads it with `refundSearch`: whatever stands here comes to every customer.
  validateSearch: (given: object) => given as RefundSearch,
  component: RefundsPage,
});
