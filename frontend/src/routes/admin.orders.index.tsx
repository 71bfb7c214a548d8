import { createFileRoute } from '@tanstack/react-router';
import type { OrderSearch } from '../admin/layout/list-search.ts';
import { OrdersPage } from '../admin/orders/orders-page.tsx';

export const Route = createFileRoute('/admin/orders/')({
  // The page validates it with `orderSearch`: code in a route file is in every customer's first
  // load.
  validateSearch: (given: object) => given as OrderSearch,
  component: OrdersPage,
});
