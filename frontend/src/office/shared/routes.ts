import { createRoute, redirect } from '@tanstack/react-router';
import { root } from '../../root-route.ts';
import type { RangeSearch, ReportSearch } from './accounting/day-range.ts';
import type { OrderSearch, PayoutSearch, RefundSearch, SecuritySearch } from './list-search.ts';

// All addresses, so that a tab can link to every other one without importing it.

/** Below the page that asks for a sign-in. */
export const office = createRoute({ getParentRoute: () => root, path: '/admin' });

const at = <const Path extends string>(path: Path) => createRoute({ getParentRoute: () => office, path });

const list = <const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (given: object) => Search,
) => createRoute({ getParentRoute: () => office, path, validateSearch });

/** The code that validates its search is loaded with the page. */
const validatedByPage = <Search extends object>(given: object) => given as Search;

const index = createRoute({
  getParentRoute: () => office,
  path: '/',
  beforeLoad: () => {
    // TanStack Router redirects by throwing a redirect object.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/admin/today', replace: true });
  },
});

export const routes = {
  today: at('/today'),
  orders: list('/orders', validatedByPage<OrderSearch>),
  order: at('/orders/$orderId'),
  workOrder: at('/orders/$orderId/work-order'),
  labels: at('/orders/$orderId/labels'),
  refunds: list('/refunds', validatedByPage<RefundSearch>),
  money: at('/money'),
  accounting: list('/accounting', validatedByPage<RangeSearch>),
  certificate: at('/accounting/certificate/$closing'),
  reports: list('/reports', validatedByPage<ReportSearch>),
  books: at('/books'),
  payouts: list('/payouts', validatedByPage<PayoutSearch>),
  payout: at('/payouts/$payoutId'),
  settings: at('/settings'),
  settingsPart: at('/settings/$part'),
  people: at('/people'),
  invitation: at('/invitation'),
  security: list('/security', validatedByPage<SecuritySearch>),
  password: at('/password'),
  unknown: at('/$'),
};

export const officePages = [office.addChildren({ index, ...routes })] as const;
