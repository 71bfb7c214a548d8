/** Square knows no fact of a payment that is older than this: it refunds payments for one year. */
const oldestDays = 400;

/** Two clocks may differ by this much, for example around midnight at the end of a month. */
const skewMinutes = 15;

/** A payout may be paid before the day on which it arrives at the bank. */
const latestArrivalDays = 7;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export type Reported = {
  /** ISO 8601; absent if Square reports none. */
  readonly at: string | undefined;
  /** ISO 8601: for example the placing of the order, which the fact cannot precede. */
  readonly notBefore?: string | undefined;
};

/**
 * A wrong instant would put money into a wrong period. So Square's instant counts only when it is possible: not in the
 * future, long before, or before the order. Otherwise the time of recording counts.
 */
export function instantOf({ at, notBefore }: Reported, now: Date): Date {
  const reported = Date.parse(at ?? '');
  const earliest = Math.max(
    now.getTime() - oldestDays * dayMs,
    notBefore === undefined ? Number.NEGATIVE_INFINITY : Date.parse(notBefore) - skewMinutes * minuteMs,
  );
  return reported >= earliest && reported <= now.getTime() ? new Date(reported) : now;
}

/** Like `instantOf`; the day may lie some days ahead. */
export function arrivalOf(noon: Date, now: Date): Date {
  const days = (noon.getTime() - now.getTime()) / dayMs;
  return days >= -oldestDays && days <= latestArrivalDays ? noon : now;
}
