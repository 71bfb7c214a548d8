import { createFileRoute } from '@tanstack/react-router';
import type { OrderSearch } from '../admin/layout/list-search.ts';
import { OrdersPage } from '../admin/orders/orders-page.tsx';

export const Route = createFileRoute('/admin/orders/')({
  // The page itself reads it with `orderSearch`: whatever stands here comes to every customer.
  validateSearch: (given: object) => given as OrderSearch,
  component: OrdersPage,
});
