import { createFileRoute } from '@tanstack/react-router';
import type { PayoutSearch } from '../admin/layout/list-search.ts';
import { PayoutsPage } from '../admin/payouts/payouts-page.tsx';

export const Route = createFileRoute('/admin/payouts/')({
  // The page validates it with `payoutSearch`: code in a route file is in every customer's first
  // load.
  validateSearch: (given: object) => given as PayoutSearch,
  component: PayoutsPage,
});
