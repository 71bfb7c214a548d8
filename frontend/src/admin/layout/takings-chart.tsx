import type { Statistics } from '@kilim/bff/contract/statistics';
import { formatDollars } from '@kilim/domain/money';
import { calendarDayText } from '../ui/format.ts';
import styles from './overview-strip.module.css';
import { layoutTexts } from './texts.ts';

const height = 100;
const step = 10;
const barWidth = 7;

/** One bar per day: takings up, refunds down, on one scale. Its name has the figures; hovering shows those of a day. */
export function TakingsChart({ statistics }: { readonly statistics: Statistics }) {
  const { days, total, from, to } = statistics;
  const highest = Math.max(100, ...days.map(({ takings }) => takings));
  const lowest = Math.max(highest * 0.08, ...days.map(({ refunds }) => refunds));
  const scale = (height - 2) / (highest + lowest);
  const zero = 1 + highest * scale;
  const summary = layoutTexts.chartSummary(formatDollars(total.takings), formatDollars(total.refunds), total.orders);
  return (
    <div className={styles.card}>
      <h2 className={styles.title}>{layoutTexts.chart}</h2>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${layoutTexts.chart}. ${layoutTexts.chartOf(calendarDayText(from), calendarDayText(to))}: ${summary}.`}
      >
        {days.map((day, index) => (
          <g key={day.date}>
            <title>
              {layoutTexts.bar(calendarDayText(day.date), formatDollars(day.takings), formatDollars(day.refunds))}
            </title>
            <rect x={index * step} y={0} width={step} height={height} fill="transparent" />
            <rect
              className={styles.taken}
              x={index * step + 1}
              y={zero - day.takings * scale}
              width={barWidth}
              height={day.takings * scale}
            />
            <rect
              className={styles.given}
              x={index * step + 1}
              y={zero}
              width={barWidth}
              height={day.refunds * scale}
            />
          </g>
        ))}
        <line className={styles.axis} x1={0} x2={days.length * step} y1={zero} y2={zero} />
      </svg>
      <p className={styles.legend}>
        <span className={styles.key} data-series="takings">
          {layoutTexts.takings}
        </span>
        <span className={styles.key} data-series="refunds">
          {layoutTexts.refunds}
        </span>
        <span>{layoutTexts.chartOf(calendarDayText(from), calendarDayText(to))}</span>
      </p>
    </div>
  );
}
