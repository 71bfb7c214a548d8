import { ok, type Result, rejected } from '../result.ts';

/** How long contacts are kept after the last event of their order. */
export type ContactRetention = {
  /** 0 is the built-in period. */
  readonly version: number;
  /** Whole months; null: until a person erases them. */
  readonly months: number | null;
};

/** The version is the event's place in the stream `contact-retention`. */
export type ContactRetentionChanged = ContactRetention & {
  readonly type: 'ContactRetentionChanged';
  /** The owner's sign-in name. */
  readonly by: string;
};

export const builtInRetention: ContactRetention = { version: 0, months: 24 };

export const shortestRetentionMonths = 3;
export const longestRetentionMonths = 120;

/** Who erased a contact whose period is over, as events and timelines name it. */
export const erasedByRetention = 'retention';

export type ChangeRetention = {
  readonly months: number | null;
  /** The version that the owner saw. */
  readonly expectedVersion: number;
  readonly by: string;
};

export type RetentionRejection =
  /** Another save came first, or the version never existed. */
  { readonly code: 'ChangedMeanwhile' } | { readonly code: 'MonthsOutOfRange' };

/** To save the same period records nothing, so a save can be retried after a lost answer. */
export function decideRetention(
  { months, expectedVersion, by }: ChangeRetention,
  current: ContactRetention,
): Result<readonly ContactRetentionChanged[], RetentionRejection> {
  if (months !== null && !isPeriod(months)) return rejected({ code: 'MonthsOutOfRange' });
  if (months === current.months) return ok([]);
  if (expectedVersion !== current.version) return rejected({ code: 'ChangedMeanwhile' });
  return ok([{ type: 'ContactRetentionChanged', version: current.version + 1, months, by }]);
}

function isPeriod(months: number): boolean {
  return Number.isInteger(months) && months >= shortestRetentionMonths && months <= longestRetentionMonths;
}
