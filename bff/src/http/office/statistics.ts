import { cents, toDollars } from '@kilim/domain/money';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type DayFigures, readStatistics } from '../../queries/read-statistics.ts';
import { day, daysOutOfOrder, inOrderOfDays, parseQuery } from '../list-query.ts';
import { answerProblem, invalidFields } from '../problem.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import type { Figures, StatisticsAnswer } from './wire.ts';

export type AdminStatisticsOptions = {
  readonly sql: Sql;
  readonly now: () => Date;
  readonly guard: AdminGuard;
  /** In which days begin. */
  readonly timeZone: string;
};

const statisticsQuery = z.object({ from: day, to: day }).refine(inOrderOfDays, daysOutOfOrder);

const usualDays = 30;
const mostDays = 400;

/** What came in, what went out, and what Square kept, day by day. */
export function adminStatistics({ sql, now, guard, timeZone }: AdminStatisticsOptions) {
  return new Hono<AdminVariables>().get(
    '/statistics',
    guard.signedIn(async (c) => {
      const query = parseQuery(c, statisticsQuery);
      if (!query.ok) return answerProblem(c, query.rejection);
      const today = dayIn(timeZone, now());
      const to = query.value.to ?? later(today, query.value.from);
      const from = query.value.from ?? daysAfter(to, 1 - usualDays);
      if (daysAfter(from, mostDays) <= to) {
        return answerProblem(c, invalidFields({ to: `At most ${mostDays} days at once` }));
      }
      const {
        days,
        total,
        today: todays,
        thisMonth,
      } = await repeatWhileAway(() => readStatistics(sql, { timeZone, from, to, today }));
      return c.json<StatisticsAnswer>({
        from,
        to,
        timeZone,
        days: days.map(({ day: date, ...figures }) => ({ date, ...figuresAnswer(figures) })),
        total: figuresAnswer(total),
        today: figuresAnswer(todays),
        thisMonth: figuresAnswer(thisMonth),
      });
    }),
  );
}

function figuresAnswer({ orders, takings, refunds, refundCount, fees }: DayFigures): Figures {
  return {
    orders,
    takings: toDollars(takings),
    refunds: toDollars(refunds),
    refundCount,
    fees: toDollars(fees),
    net: toDollars(cents(takings - refunds - fees)),
  };
}

/** The day that it is somewhere at an instant: `2026-11-21`. */
function dayIn(timeZone: string, instant: Date): string {
  // Swedish dates are written as ISO 8601 writes them.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
}

function daysAfter(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function later(first: string, second: string | undefined): string {
  return second !== undefined && second > first ? second : first;
}
