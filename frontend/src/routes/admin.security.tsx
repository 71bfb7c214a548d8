import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../admin/security/security-page.tsx';
import type { SecuritySearch } from '../admin/security/security-search.ts';

export const Route = createFileRoute('/admin/security')({
  // The page validates it with `securitySearch`: code in a route file is in every customer's first
  // load.
  validateSearch: (given: object) => given as SecuritySearch,
  component: SecurityPage,
});
