import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { RangeSearch } from './office/accounting/day-range.ts';
import type { OrderSearch, PayoutSearch, RefundSearch } from './office/layout/list-search.ts';
import type { ReportSearch } from './office/reports/report-search.ts';
import type { SecuritySearch } from './office/security/security-search.ts';
import { root } from './root-route.ts';

// Below the page that asks for a sign-in.

/** The code that validates its search is loaded with the page. */
const validatedByPage =
  <Search extends object>() =>
  (given: object) =>
    given as Search;

const office = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => import('./office/layout/admin-page.tsx'), 'AdminPage'),
});

const index = createRoute({
  getParentRoute: () => office,
  path: '/',
  beforeLoad: () => {
    // TanStack Router redirects by throwing a redirect object.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/admin/overview', replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => office,
  path: '/overview',
  component: lazyRouteComponent(() => import('./office/overview/overview-page.tsx'), 'OverviewPage'),
});

const orders = createRoute({
  getParentRoute: () => office,
  path: '/orders',
  validateSearch: validatedByPage<OrderSearch>(),
  component: lazyRouteComponent(() => import('./office/orders/orders-page.tsx'), 'OrdersPage'),
});

const order = createRoute({
  getParentRoute: () => office,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('./office/orders/order-page.tsx'), 'OrderPage'),
});

const workOrder = createRoute({
  getParentRoute: () => office,
  path: '/orders/$orderId/work-order',
  component: lazyRouteComponent(() => import('./office/orders/work-order-page.tsx'), 'WorkOrderPage'),
});

const refunds = createRoute({
  getParentRoute: () => office,
  path: '/refunds',
  validateSearch: validatedByPage<RefundSearch>(),
  component: lazyRouteComponent(() => import('./office/refunds/refunds-page.tsx'), 'RefundsPage'),
});

const accounting = createRoute({
  getParentRoute: () => office,
  path: '/accounting',
  validateSearch: validatedByPage<RangeSearch>(),
  component: lazyRouteComponent(() => import('./office/accounting/accounting-page.tsx'), 'AccountingPage'),
});

const certificate = createRoute({
  getParentRoute: () => office,
  path: '/accounting/certificate/$closing',
  component: lazyRouteComponent(() => import('./office/accounting/certificate-page.tsx'), 'CertificatePage'),
});

const reports = createRoute({
  getParentRoute: () => office,
  path: '/reports',
  validateSearch: validatedByPage<ReportSearch>(),
  component: lazyRouteComponent(() => import('./office/reports/reports-page.tsx'), 'ReportsPage'),
});

const books = createRoute({
  getParentRoute: () => office,
  path: '/books',
  component: lazyRouteComponent(() => import('./office/books/books-page.tsx'), 'BooksPage'),
});

const payouts = createRoute({
  getParentRoute: () => office,
  path: '/payouts',
  validateSearch: validatedByPage<PayoutSearch>(),
  component: lazyRouteComponent(() => import('./office/payouts/payouts-page.tsx'), 'PayoutsPage'),
});

const payout = createRoute({
  getParentRoute: () => office,
  path: '/payouts/$payoutId',
  component: lazyRouteComponent(() => import('./office/payouts/payout-page.tsx'), 'PayoutPage'),
});

const settings = createRoute({
  getParentRoute: () => office,
  path: '/settings',
  component: lazyRouteComponent(() => import('./office/settings/settings-page.tsx'), 'SettingsPage'),
});

const people = createRoute({
  getParentRoute: () => office,
  path: '/people',
  component: lazyRouteComponent(() => import('./office/people/people-page.tsx'), 'PeoplePage'),
});

const invitation = createRoute({
  getParentRoute: () => office,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./office/people/invitation-page.tsx'), 'InvitationPage'),
});

const security = createRoute({
  getParentRoute: () => office,
  path: '/security',
  validateSearch: validatedByPage<SecuritySearch>(),
  component: lazyRouteComponent(() => import('./office/security/security-page.tsx'), 'SecurityPage'),
});

const password = createRoute({
  getParentRoute: () => office,
  path: '/password',
  component: lazyRouteComponent(() => import('./office/password/password-page.tsx'), 'PasswordPage'),
});

const unknown = createRoute({
  getParentRoute: () => office,
  path: '/$',
  component: lazyRouteComponent(() => import('./office/layout/unknown-page.tsx'), 'UnknownPage'),
});

export const officePages = [
  office.addChildren([
    index,
    overview,
    orders,
    order,
    workOrder,
    refunds,
    accounting,
    certificate,
    reports,
    books,
    payouts,
    payout,
    settings,
    people,
    invitation,
    security,
    password,
    unknown,
  ]),
] as const;
