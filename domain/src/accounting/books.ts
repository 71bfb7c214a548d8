import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import { type ChartOfAccounts, usualChart } from './chart.ts';
import type { Day } from './day.ts';

// The books: which days are closed, and what the accounts are called. Both stand in the ledger, in a stream of their own.

/**
 * How far the ledger was written: everything before it was committed or gone. `xid` is decimal text, because a transaction's number may be larger than a
 * number holds exactly.
 */
export type Horizon = { readonly epoch: number; readonly xid: string };

/** Every day up to this one is closed. What the ledger learns of them from now on is late, and posted on the first open day. */
export type PeriodClosed = {
  readonly type: 'PeriodClosed';
  readonly through: Day;
  /** The time zone in which its days begin, whatever is configured later. */
  readonly timeZone: string;
  /** ISO 8601 instant at which the first open day begins. */
  readonly endsAt: string;
  /** What was written before it belongs to the period; what comes later is late. */
  readonly horizon: Horizon;
  /** What the accounts were called: its entries keep these names. */
  readonly chart: ChartOfAccounts;
  /** The administrator's name. */
  readonly by: string;
};

/** The accounts' names, whole. They hold for open days: a closed one keeps what it was exported with. */
export type AccountsNamed = { readonly type: 'AccountsNamed'; readonly chart: ChartOfAccounts; readonly by: string };

export type BooksEvent = PeriodClosed | AccountsNamed;

export type Closing = Omit<PeriodClosed, 'type'>;

export type Books = {
  /** Of the stream; 0 before anything was recorded. */
  readonly version: number;
  readonly chart: ChartOfAccounts;
  /** Oldest first: each reaches further than the one before. */
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
  /** The day that it is now in the shop. */
  readonly today: Day;
};

export type ClosePeriodRejection =
  | { readonly code: 'AlreadyClosed'; readonly through: Day }
  /** A day is closed when it is over. */
  | { readonly code: 'NotOver'; readonly through: Day; readonly today: Day };

/** Closing what is closed already, and not more, changes nothing: a repeat after a lost answer is no mistake. */
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
  /** The version of the books that the administrator was looking at. */
  readonly expectedVersion: number;
  readonly by: string;
};

export type NameAccountsRejection = {
  readonly code: 'ChangedMeanwhile';
  readonly expected: number;
  readonly current: number;
};

/** Naming them as they are named already changes nothing. */
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

/** What the accounts were called for the entries of a day. */
export function chartOn(day: Day, books: Books): ChartOfAccounts {
  return books.closings.find(({ through }) => day <= through)?.chart ?? books.chart;
}

/** The last closed day; undefined while none is. */
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
