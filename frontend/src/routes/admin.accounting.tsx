import { createFileRoute } from '@tanstack/react-router';
import { AccountingPage } from '../admin/accounting/accounting-page.tsx';
import type { RangeSearch } from '../admin/accounting/day-range.ts';

export const Route = createFileRoute('/admin/accounting')({
  // The page validates it with `rangeOf`: code in a route file is in every customer's first load.
  validateSearch: (given: object) => given as RangeSearch,
  component: AccountingPage,
});
