import { type AnyRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AdminPage } from './layout/admin-page.tsx';
import { office, routes } from './shared/routes.ts';

const pages = {
  today: lazyRouteComponent(() => import('./today/today-page.tsx'), 'TodayPage'),
  orders: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
  order: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
  workOrder: lazyRouteComponent(() => import('./orders/work-order-page.tsx'), 'WorkOrderPage'),
  labels: lazyRouteComponent(() => import('./orders/labels-page.tsx'), 'LabelsPage'),
  refunds: lazyRouteComponent(() => import('./refunds/refunds-page.tsx'), 'RefundsPage'),
  money: lazyRouteComponent(() => import('./money/money-page.tsx'), 'MoneyPage'),
  accounting: lazyRouteComponent(() => import('./accounting/accounting-page.tsx'), 'AccountingPage'),
  certificate: lazyRouteComponent(() => import('./accounting/certificate-page.tsx'), 'CertificatePage'),
  reports: lazyRouteComponent(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
  books: lazyRouteComponent(() => import('./books/books-page.tsx'), 'BooksPage'),
  payouts: lazyRouteComponent(() => import('./payouts/payouts-page.tsx'), 'PayoutsPage'),
  payout: lazyRouteComponent(() => import('./payouts/payout-page.tsx'), 'PayoutPage'),
  settings: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
  settingsPart: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPartPage'),
  people: lazyRouteComponent(() => import('./people/people-page.tsx'), 'PeoplePage'),
  invitation: lazyRouteComponent(() => import('./people/invitation-page.tsx'), 'InvitationPage'),
  security: lazyRouteComponent(() => import('./security/security-page.tsx'), 'SecurityPage'),
  password: lazyRouteComponent(() => import('./password/password-page.tsx'), 'PasswordPage'),
  unknown: lazyRouteComponent(() => import('./layout/unknown-page.tsx'), 'UnknownPage'),
} satisfies Record<keyof typeof routes, unknown>;

/** Each page is loaded with its route. */
export function addPages(): void {
  office.update({ component: AdminPage });
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    const route: AnyRoute = routes[name];
    route.update({ component: pages[name] });
  }
}
