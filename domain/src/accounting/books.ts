import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import { type ChartOfAccounts, usualChart } from './chart.ts';
import type { Day } from './day.ts';

// The books: the closed days and the names of the accounts. Both are events of one stream.

/**
 * A place in the ledger: every earlier transaction has committed or rolled back. `xid` is decimal
 * text, because a transaction id may exceed the safe integers.
 */
export type Horizon = { readonly epoch: number; readonly xid: string };

/**
 * Every day up to this one is closed. Events of these days that arrive later are late, and posted
 * on the first open day.
 */
export type PeriodClosed = {
  readonly type: 'PeriodClosed';
  readonly through: Day;
  /** The time zone in which the closed days begin, whatever is configured later. */
  readonly timeZone: string;
  /** ISO 8601 instant at which the first open day begins. */
  readonly endsAt: string;
  /** Events before it belong to the period; later events are late. */
  readonly horizon: Horizon;
  /** The names of the accounts at that time. The entries of the period keep these names. */
  readonly chart: ChartOfAccounts;
  /** The administrator's name. */
  readonly by: string;
};

/**
 * The names of all accounts. They hold for open days; a closed day keeps the names that it was
 * closed with.
 */
export type AccountsNamed = { readonly type: 'AccountsNamed'; readonly chart: ChartOfAccounts; readonly by: string };

export type BooksEvent = PeriodClosed | AccountsNamed;

export type Closing = Omit<PeriodClosed, 'type'>;

export type Books = {
  /** The version of the stream; 0 before the first event. */
  readonly version: number;
  readonly chart: ChartOfAccounts;
  /** Oldest first; each closing reaches further than the one before. */
  readonly closings: readonly Closing[];
};

export const newBooks: Books = { version: 0, chart: usualChart, closings: [] };

export function evolve(books: Books, event: BooksEvent): Books {
  const version = books.version + 1;
  switch (event.type) {
    case 'PeriodClosed': {
      const { type: _, ...closing } = event;
      return { ...books, version, closings: [...books.closings, closing] };
    }
    case 'AccountsNamed':
      return { ...books, version, chart: event.chart };
    default:
      return unreachable(event);
  }
}

export type ClosePeriod = Omit<PeriodClosed, 'type' | 'chart'> & {
  /** Today's date in the shop. */
  readonly today: Day;
};

export type ClosePeriodRejection =
  | { readonly code: 'AlreadyClosed'; readonly through: Day }
  /** A day can be closed when it is over. */
  | { readonly code: 'NotOver'; readonly through: Day; readonly today: Day };

/** To close the same days again changes nothing, so a retry after a lost answer is safe. */
export function decideClosing(
  { today, ...closing }: ClosePeriod,
  { closings, chart }: Books,
): Result<PeriodClosed | undefined, ClosePeriodRejection> {
  const last = closings.at(-1);
  if (last?.through === closing.through) return ok(undefined);
  if (last !== undefined && closing.through < last.through) {
    return rejected({ code: 'AlreadyClosed', through: last.through });
  }
  if (closing.through >= today) return rejected({ code: 'NotOver', through: closing.through, today });
  return ok({ type: 'PeriodClosed', ...closing, chart });
}

export type NameAccounts = {
  readonly chart: ChartOfAccounts;
  /** The version of the books that the administrator saw. */
  readonly expectedVersion: number;
  readonly by: string;
};

export type NameAccountsRejection = {
  readonly code: 'ChangedMeanwhile';
  readonly expected: number;
  readonly current: number;
};

/** To save unchanged names records nothing. */
export function decideNames(
  { chart, expectedVersion, by }: NameAccounts,
  books: Books,
): Result<AccountsNamed | undefined, NameAccountsRejection> {
  if (isSameChart(chart, books.chart)) return ok(undefined);
  if (expectedVersion !== books.version) {
    return rejected({ code: 'ChangedMeanwhile', expected: expectedVersion, current: books.version });
  }
  return ok({ type: 'AccountsNamed', chart, by });
}

/** The names of the accounts in the entries of a day. */
export function chartOn(day: Day, books: Books): ChartOfAccounts {
  return books.closings.find(({ through }) => day <= through)?.chart ?? books.chart;
}

/** The last closed day; undefined before the first closing. */
export function closedThrough({ closings }: Books): Day | undefined {
  return closings.at(-1)?.through;
}

function isSameChart(first: ChartOfAccounts, second: ChartOfAccounts): boolean {
  const names = Object.keys(first.accounts) as (keyof ChartOfAccounts['accounts'])[];
  return (
    first.taxRate === second.taxRate &&
    names.every((account) => {
      const { name, code } = first.accounts[account];
      return second.accounts[account].name === name && second.accounts[account].code === code;
    })
  );
}
