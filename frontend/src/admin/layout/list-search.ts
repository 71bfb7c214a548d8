import { type Day, isDay } from '@kilim/domain/accounting/day';
import { type RefundStanding, refundStandings } from '@kilim/domain/projection/order-summary';

/** Which orders are listed: it lives in the address, so that it survives the way back and can be sent to somebody. */
export type OrderSearch = {
  readonly page?: number;
  readonly search?: string;
  readonly status?: RefundStanding;
  readonly payment?: 'attempts' | 'all';
  readonly delivery?: 'dropoff' | 'pickup';
  readonly from?: string;
  readonly to?: string;
  readonly sort?: 'createdAt';
};

/** Takes what makes sense and drops the rest: a mistyped address lists orders all the same. */
export function orderSearch(given: Readonly<Record<string, unknown>>): OrderSearch {
  const { page, search, status, payment, delivery, from, to, sort } = given;
  return {
    ...(isLaterPage(page) ? { page } : {}),
    ...textOf('search', search),
    ...oneOf('status', status, refundStandings),
    ...oneOf('payment', payment, ['attempts', 'all']),
    ...oneOf('delivery', delivery, ['dropoff', 'pickup']),
    ...dayOf('from', from),
    ...dayOf('to', to),
    ...oneOf('sort', sort, ['createdAt']),
  };
}

/** Which refunds are listed. */
export type RefundSearch = {
  readonly page?: number;
  readonly search?: string;
  readonly status?: 'pending' | 'completed' | 'failed';
  readonly from?: string;
  readonly to?: string;
};

export function refundSearch(given: Readonly<Record<string, unknown>>): RefundSearch {
  const { page, search, status, from, to } = given;
  return {
    ...(isLaterPage(page) ? { page } : {}),
    ...textOf('search', search),
    ...oneOf('status', status, ['pending', 'completed', 'failed']),
    ...dayOf('from', from),
    ...dayOf('to', to),
  };
}

function isLaterPage(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 1;
}

function oneOf<Name extends string, const Value extends string>(name: Name, value: unknown, allowed: readonly Value[]) {
  const found = allowed.find((known) => known === value);
  return (found === undefined ? {} : { [name]: found }) as { readonly [Key in Name]?: Value };
}

/** What looks like a number in the address arrives as one. */
function textOf<Name extends string>(name: Name, value: unknown) {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return (text === '' ? {} : { [name]: text }) as { readonly [Key in Name]?: string };
}

function dayOf<Name extends string>(name: Name, value: unknown) {
  return (isDay(value) ? { [name]: value } : {}) as { readonly [Key in Name]?: Day };
}
