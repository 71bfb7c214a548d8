import { type Day, lastMonthEnd } from '../day.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import { type ChartOfAccounts, usualChart } from './chart.ts';
import type { ClosingsEvent, PeriodReopened, ReopenReason } from './closings.ts';

// The closed days and the names of the accounts are events of one stream; reopenings have another (`closings.ts`).

/**
 * A place in the ledger: every earlier transaction has ended. `xid` is text, because it may exceed the safe integers.
 */
export type Horizon = { readonly epoch: number; readonly xid: string };

/** Every day up to this one is closed. Events of these days that arrive later are posted on the first open day. */
export type PeriodClosed = {
  readonly type: 'PeriodClosed';
  readonly through: Day;
  /** The time zone of the closed days, whatever is configured later. */
  readonly timeZone: string;
  /** ISO 8601 instant at which the first open day begins. */
  readonly endsAt: string;
  readonly horizon: Horizon;
  /** The entries of the period keep these names. */
  readonly chart: ChartOfAccounts;
  readonly by: string;
};

/** They hold for open days; a closed day keeps the names that it was closed with. */
export type AccountsNamed = { readonly type: 'AccountsNamed'; readonly chart: ChartOfAccounts; readonly by: string };

export type BooksEvent = PeriodClosed | AccountsNamed;

/** By the version of its event in the stream. */
export type Closing = Omit<PeriodClosed, 'type'> & { readonly version: number };

export type Books = {
  readonly version: number;
  readonly chart: ChartOfAccounts;
  /** Those in force, oldest first; each one reaches further. */
  readonly closings: readonly Closing[];
  readonly reopened: ReadonlySet<number>;
};

export const newBooks: Books = { version: 0, chart: usualChart, closings: [], reopened: new Set() };

export function evolve(books: Books, event: BooksEvent): Books {
  const version = books.version + 1;
  switch (event.type) {
    case 'PeriodClosed': {
      const { type: _, ...closing } = event;
      return { ...books, version, closings: [...books.closings, { ...closing, version }] };
    }
    case 'AccountsNamed':
      return { ...books, version, chart: event.chart };
    default:
      return unreachable(event);
  }
}

/** The books without the reopened closings. The order of the two streams does not matter. */
export function withReopenings(books: Books, events: readonly ClosingsEvent[]): Books {
  const reopened = new Set(events.flatMap((event) => (event.type === 'PeriodReopened' ? [event.closing] : [])));
  return { ...books, reopened, closings: books.closings.filter(({ version }) => !reopened.has(version)) };
}

export type ClosePeriod = Omit<PeriodClosed, 'type' | 'chart'> & {
  readonly today: Day;
};

export type ClosePeriodRejection =
  | { readonly code: 'AlreadyClosed'; readonly through: Day }
  /** A day can be closed when it is over. */
  | { readonly code: 'NotOver'; readonly through: Day; readonly today: Day };

/** A repeated closing changes nothing, so a retry is safe. */
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

export type ReopenPeriod = {
  readonly closing: number;
  readonly reason: ReopenReason;
  readonly by: string;
};

/** Only the latest closing can be reopened. */
export type ReopenPeriodRejection = { readonly code: 'NotLatestClosing'; readonly through: Day | undefined };

/** Opens the days again: late events move to their own days. A repeated reopening changes nothing. */
export function decideReopening(
  { closing, reason, by }: ReopenPeriod,
  { closings, reopened }: Books,
): Result<PeriodReopened | undefined, ReopenPeriodRejection> {
  if (reopened.has(closing)) return ok(undefined);
  const last = closings.at(-1);
  if (last === undefined || last.version !== closing) {
    return rejected({ code: 'NotLatestClosing', through: last?.through });
  }
  return ok({ type: 'PeriodReopened', closing, through: last.through, reason, by });
}

export type NameAccounts = {
  readonly chart: ChartOfAccounts;
  readonly expectedVersion: number;
  readonly by: string;
};

export type NameAccountsRejection = {
  readonly code: 'ChangedMeanwhile';
  readonly expected: number;
  readonly current: number;
};

/** Unchanged names record nothing. */
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

export function chartOn(day: Day, books: Books): ChartOfAccounts {
  return books.closings.find(({ through }) => day <= through)?.chart ?? books.chart;
}

/** Undefined before the first closing. */
export function closedThrough({ closings }: Books): Day | undefined {
  return closings.at(-1)?.through;
}

/** Undefined when the last full month is closed. */
export function proposedClosing(today: Day, books: Books): Day | undefined {
  const end = lastMonthEnd(today);
  const through = closedThrough(books);
  return through !== undefined && end <= through ? undefined : end;
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
