import { accounts } from '@kilim/domain/accounting/chart';
import { deliveryOptions } from '@kilim/domain/catalog';
import { securityKinds } from '@kilim/domain/people/security-log';
import { orderStages, refundFilters } from '@kilim/domain/projection/order-summary';
import { refundStatuses } from '@kilim/domain/projection/refund-history';
import * as z from 'zod/mini';
import { day, daysInOrder } from './days.ts';
import { exportFormats } from './exports.ts';
import { lastPage } from './last-page.ts';
import { payoutStates } from './payouts.ts';
import { reportNames } from './reports.ts';
import { oneLineText } from './text.ts';

/*
 * Lists are arrays. `X-Total-Count` is the number of rows on all pages, and `Link` has the addresses of the other
 * pages. A search that finds very many rows stops counting and says so with `X-Total-At-Least: true`. `Link` then has
 * no `last`.
 */

const mostRowsPerPage = 100;

const page = z._default(
  z.coerce.number('Please give a page from 1').check(z.int(), z.gte(1, 'Pages begin at 1'), z.lte(lastPage)),
  1,
);

const pageSize = z._default(
  z.coerce.number('Please give a number').check(z.int(), z.gte(1, 'At least 1'), z.lte(mostRowsPerPage, 'At most 100')),
  10,
);

const search = z.optional(
  z.pipe(
    z.string().check(z.maxLength(200, 'At most 200 characters'), z.overwrite(oneLineText)),
    z.transform((text: string) => (text === '' ? undefined : text)),
  ),
);

const listFilters = { page, search, from: z.optional(day), to: z.optional(day) };

/**
 * `search` is beginnings of words of the name or the email, the telephone number, the order's id or the last 8 of it,
 * the payment's id or its first 8 and more, or Square's payment id. `from` and `to` are days on which orders were
 * placed.
 */
export const ordersQuery = z
  .object({
    ...listFilters,
    pageSize,
    /** `failed`: a refund failed, and the customer still waits for the money. */
    status: z.optional(z.enum(refundFilters, 'Please give none, pending, partial, full or failed')),
    /** `asked`: the customer was asked for a difference and has not paid it. */
    stage: z.optional(z.enum([...orderStages, 'asked'], 'Please give waiting, received, ready, handed-over or asked')),
    /**
     * `paid`: money was taken. `attempts`: none was, or not yet. Without it the list has paid orders, and a search
     * looks at all orders: the card of the customer on the telephone may have been declined.
     */
    payment: z.optional(z.enum(['paid', 'attempts', 'all'], 'Please give paid, attempts or all')),
    delivery: z.optional(z.enum(deliveryOptions, 'Please give dropoff or pickup')),
    sort: z._default(z.enum(['-createdAt', 'createdAt'], 'Please give -createdAt or createdAt'), '-createdAt'),
  })
  .check(daysInOrder);

/**
 * `search` is the order's number or id or the last 8 of it, the refund's id or Square's refund id. `from` and `to` are
 * days on which refunds were requested.
 */
export const refundsQuery = z
  .object({
    ...listFilters,
    pageSize,
    status: z.optional(z.enum(refundStatuses, 'Please give pending, completed or failed')),
  })
  .check(daysInOrder);

/** `from` and `to` are days of arrival. */
export const payoutsQuery = z
  .object({
    page,
    pageSize,
    state: z.optional(z.enum(payoutStates, 'Please give sent, paid or failed')),
    from: z.optional(day),
    to: z.optional(day),
  })
  .check(daysInOrder);

export const securityLogQuery = z.object({
  page,
  pageSize,
  kind: z.optional(z.enum(securityKinds, 'Please give the kind of an entry')),
  /** The account, or the person who acted on it. */
  person: z.optional(z.string().check(z.maxLength(64, 'At most 64 characters'))),
});

/** Empty: the last 30 days with today. At most 400 days. */
export const statisticsQuery = z.object({ from: z.optional(day), to: z.optional(day) }).check(daysInOrder);

/** `before` is the oldest version of the page before. */
export const settingsHistoryQuery = z.object({
  before: z.optional(z.coerce.number('Please give a version').check(z.int(), z.gte(1), z.lte(999_999_999))),
});

/** Days on which money was posted. */
const range = { from: day, to: day };

export const contentsQuery = z.object(range).check(daysInOrder);

export const reportQuery = z
  .object({
    ...range,
    report: z.enum(reportNames, `Please give ${reportNames.join(', ')}`),
    /** The clearing account unless it is given. */
    account: z.optional(z.enum(accounts, 'Please give an account')),
  })
  .check(daysInOrder);

/** A closed range never changes, so its answer has an `ETag`. */
export const exportQuery = z
  .object({
    ...range,
    format: z.enum(exportFormats, `Please give ${exportFormats.join(', ')}`),
    /** Of `csv` and `jsonl`: continues after the event at this position, without a header. */
    after: z.optional(z.coerce.number('Please give a position').check(z.int(), z.gte(1))),
  })
  .check(daysInOrder);

export const checklistQuery = z.object({ through: day });
