import { createFileRoute } from '@tanstack/react-router';
import { AccountingPage } from '../admin/accounting/accounting-page.tsx';
import type { RangeSearch } from '../admin/accounting/day-range.ts';

export const Route = createFileRoute('/admin/accounting')({
  // The page itself reads it with `rangeOf`: whatever stands here comes to every customer.
  validateSearch: (given: object) => given as RangeSearch,
  component: AccountingPage,
});
