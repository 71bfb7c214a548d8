import { createFileRoute } from '@tanstack/react-router';
import type { ReportSearch } from '../admin/reports/report-search.ts';
import { ReportsPage } from '../admin/reports/reports-page.tsx';

export const Route = createFileRoute('/admin/reports')({
  // The page validates it with `chosenReport`: code in a route file is in every customer's first load.
  validateSearch: (given: object) => given as ReportSearch,
  component: ReportsPage,
});
