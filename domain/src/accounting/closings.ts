import type { Day } from '../day.ts';
import type { Cents } from '../money.ts';
import type { Account } from './chart.ts';

// A closing's certificate and its end, in a stream of their own.

/** A list, and no free text: an event never changes. */
export const reopenReasons = ['late-facts', 'wrong-day', 'wrong-names', 'correction', 'accountant'] as const;
export type ReopenReason = (typeof reopenReasons)[number];

export type PeriodReopened = {
  readonly type: 'PeriodReopened';
  readonly closing: number;
  readonly through: Day;
  readonly reason: ReopenReason;
  readonly by: string;
};

/** The digest of an export of the closed days. */
export type CertifiedFile = {
  readonly format: string;
  readonly fileName: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

export type AccountTotals = { readonly account: Account; readonly debit: Cents; readonly credit: Cents };

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
  readonly closing: number;
  readonly from: Day;
  readonly through: Day;
  /** Another edition of the export formats may write other bytes. */
  readonly exportEdition: number;
  /** Events of the days; those that moved money; and of these the late ones. */
  readonly counts: { readonly events: number; readonly bookings: number; readonly late: number };
  readonly balances: readonly AccountTotals[];
  readonly files: readonly CertifiedFile[];
  /** With the number of cases. */
  readonly openPoints: readonly { readonly point: CheckPoint; readonly count: number }[];
};

export type ClosingsEvent = PeriodReopened | PeriodCertified;
