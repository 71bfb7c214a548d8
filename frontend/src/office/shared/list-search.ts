import { lastPage } from '@kilim/bff/contract/last-page';
import { payoutStates } from '@kilim/bff/contract/payouts';
import type { ordersQuery, payoutsQuery, refundsQuery } from '@kilim/bff/contract/queries';
import { deliveryOptions } from '@kilim/domain/catalog';
import { type Day, parseDay } from '@kilim/domain/day';
import { isSecurityKind, type SecurityKind } from '@kilim/domain/people/security-log';
import { orderStages, refundFilters } from '@kilim/domain/projection/order-summary';
import { refundStatuses } from '@kilim/domain/projection/refund-history';
import type * as z from 'zod/mini';

/** The filters are in the address, so that they survive the way back and a link can carry them. */
type Search<Query> = { readonly [Name in Exclude<keyof Query, 'pageSize'>]?: Exclude<Query[Name], undefined> };

/** Defaults are left out of the address. */
type OrdersQuery = Omit<z.output<typeof ordersQuery>, 'payment' | 'sort'> & {
  readonly payment: 'attempts' | 'all';
  readonly sort: 'createdAt';
};
export type OrderSearch = Search<OrdersQuery> & { readonly pageSize?: PageSize };

export const pageSizes = [10, 25, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];
export const usualPageSize: PageSize = 25;
export type RefundSearch = Search<z.output<typeof refundsQuery>>;
export type PayoutSearch = Search<z.output<typeof payoutsQuery>>;

export type SecuritySearch = {
  readonly page?: number;
  readonly kind?: SecurityKind;
  /** A sign-in name. */
  readonly person?: string;
};

// Each drops what the query refuses: a mistyped address still shows a list.

export function orderSearch(given: Readonly<Record<string, unknown>>): OrderSearch {
  const pageSize = pageSizes.find((size) => size === given['pageSize'] && size !== usualPageSize);
  const found = present<OrdersQuery>({
    ...common(given),
    status: oneOf(refundFilters, given['status']),
    payment: oneOf(['attempts', 'all'], given['payment']),
    delivery: oneOf(deliveryOptions, given['delivery']),
    stage: oneOf([...orderStages, 'asked'], given['stage']),
    sort: oneOf(['createdAt'], given['sort']),
  });
  return { ...found, ...(pageSize === undefined ? {} : { pageSize }) };
}

export function refundSearch(given: Readonly<Record<string, unknown>>): RefundSearch {
  return present<z.output<typeof refundsQuery>>({ ...common(given), status: oneOf(refundStatuses, given['status']) });
}

export function payoutSearch(given: Readonly<Record<string, unknown>>): PayoutSearch {
  const { page, from, to } = common(given);
  return present<z.output<typeof payoutsQuery>>({ page, from, to, state: oneOf(payoutStates, given['state']) });
}

export function daySearch({ from, to }: { readonly from: string; readonly to: string }) {
  return present<{ from?: Day; to?: Day }>({ from: parseDay(from), to: parseDay(to) });
}

export function securitySearch({ page, kind, person }: Readonly<Record<string, unknown>>): SecuritySearch {
  const known = pageOf(page);
  return {
    ...(known === undefined ? {} : { page: known }),
    ...(typeof kind === 'string' && isSecurityKind(kind) ? { kind } : {}),
    // The router reads a name like a number as one.
    ...(typeof person === 'string' || typeof person === 'number' ? { person: String(person).slice(0, 64) } : {}),
  };
}

type Chosen<List> = { readonly [Name in keyof List]?: List[Name] | undefined };

/** By more than the page, the order and the size of the list. */
export function isFiltered(search: OrderSearch | RefundSearch | PayoutSearch | SecuritySearch): boolean {
  const { page: _, sort: __, pageSize: ___, ...filters }: Readonly<Record<string, unknown>> = search;
  return Object.keys(filters).length > 0;
}

/** At the first page, without empty filters. */
export function withFilters<List extends OrderSearch | RefundSearch | PayoutSearch>(
  search: List,
  chosen: Chosen<List>,
): List {
  const { page: _, ...filters } = { ...search, ...chosen };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')) as List;
}

function common({ page, search, from, to }: Readonly<Record<string, unknown>>) {
  const days = { from: parseDay(textOf(from)), to: parseDay(textOf(to)) };
  const areSwapped = days.from !== undefined && days.to !== undefined && days.from > days.to;
  return {
    page: pageOf(page),
    // The router reads a search like a number as one.
    search: typeof search === 'number' ? String(search) : textOf(search).trim() || undefined,
    ...(areSwapped ? { from: days.to, to: days.from } : days),
  };
}

/** Undefined for the first page. */
function pageOf(page: unknown): number | undefined {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= lastPage ? page : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function oneOf<const Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value);
}

function present<Query>(found: { readonly [Name in keyof Search<Query>]: Search<Query>[Name] | undefined }) {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Search<Query>;
}
