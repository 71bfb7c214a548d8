import type { Cents } from '../money.ts';
import type { Account } from './chart.ts';
import type { Day } from './day.ts';

// What follows a closing: its certificate, and its end if an owner reopens it. These events have a stream of their own.

/** Why an owner reopens days. A list, and no free text: an event never changes. */
export const reopenReasons = ['late-facts', 'wrong-day', 'wrong-names', 'correction', 'accountant'] as const;
export type ReopenReason = (typeof reopenReasons)[number];

/** A closing is no longer in force, as if it had never been made. */
export type PeriodReopened = {
  readonly type: 'PeriodReopened';
  /** The version of the event `PeriodClosed` in the stream of the books. */
  readonly closing: number;
  /** The last day that the closing had closed. */
  readonly through: Day;
  readonly reason: ReopenReason;
  /** The administrator's name. */
  readonly by: string;
};

/** An export of the closed days, byte for byte. */
export type CertifiedFile = {
  readonly format: string;
  readonly fileName: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

/** The sums of an account over the journal of the closed days. */
export type AccountTotals = { readonly account: Account; readonly debit: Cents; readonly credit: Cents };

/** The points of the checklist before a closing. */
export const checkPoints = [
  'doubt',
  'compared',
  'differences',
  'fees',
  'clearing',
  'sealed',
  'verified',
  'witness',
] as const;
export type CheckPoint = (typeof checkPoints)[number];

/** What the exports of a closed period are: computed once, and provable from then on. */
export type PeriodCertified = {
  readonly type: 'PeriodCertified';
  /** The version of the event `PeriodClosed` in the stream of the books. */
  readonly closing: number;
  readonly from: Day;
  readonly through: Day;
  /** The edition of the formats of all exports: another edition may write other bytes. */
  readonly exportEdition: number;
  /** Events of the days; those that moved money; and of these the late ones. */
  readonly counts: { readonly events: number; readonly bookings: number; readonly late: number };
  readonly balances: readonly AccountTotals[];
  readonly files: readonly CertifiedFile[];
  /** The points of the checklist that were open, with the number of cases. */
  readonly openPoints: readonly { readonly point: CheckPoint; readonly count: number }[];
};

export type ClosingsEvent = PeriodReopened | PeriodCertified;
