import { cents } from '@kilim/domain/money';
import type { Figures } from '../../../../contract/statistics.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { ShopClock } from '../../queries/current-rates.ts';
import { type DayFigures, readStatistics } from '../../queries/read-statistics.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { answerProblem, invalidFields } from '../problem.ts';
import type { Serve } from '../serve.ts';

type StatisticsOptions = ShopClock & { readonly sql: Sql };

const usualDays = 30;
const mostDays = 400;

export function serveStatistics(serve: Serve, { sql, now, timeZone }: StatisticsOptions): void {
  serve('GET /api/admin/statistics', async (c, { query: asked, answer }) => {
    const today = dayIn(timeZone, now());
    const to = asked.to ?? later(today, asked.from);
    const from = asked.from ?? daysAfter(to, 1 - usualDays);
    if (daysAfter(from, mostDays) <= to) {
      return answerProblem(c, invalidFields({ to: `At most ${mostDays} days at once` }));
    }
    const read = await repeatWhileAway(() => readStatistics(sql, { timeZone, from, to, today }));
    return answer(200, {
      from,
      to,
      timeZone,
      days: read.days.map(({ day: date, ...figures }) => ({ date, ...figuresAnswer(figures) })),
      total: figuresAnswer(read.total),
      today: figuresAnswer(read.today),
      yesterday: figuresAnswer(read.yesterday),
      thisMonth: figuresAnswer(read.thisMonth),
      lastMonth: figuresAnswer(read.lastMonth),
    });
  });
}

function figuresAnswer(figures: DayFigures): Figures {
  return { ...figures, net: cents(figures.takings - figures.refunds - figures.fees - figures.disputes) };
}

function daysAfter(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function later(first: string, second: string | undefined): string {
  return second !== undefined && second > first ? second : first;
}
