import type { Statistics } from '@kilim/bff/contract/statistics';
import { formatDollars } from '@kilim/domain/money';
import { DataTable } from '../shared/ui/data-table.tsx';
import { calendarDayText } from '../shared/ui/format.ts';
import styles from './money.module.css';
import { chartTexts } from './texts.ts';

const height = 100;
const step = 10;
const barWidth = 7;

/** Payments up, refunds down, on one scale. Its name has the sums, and a table has each day. */
export function TakingsChart({ statistics }: { readonly statistics: Statistics }) {
  const { days, total, from, to } = statistics;
  const highest = Math.max(100, ...days.map(({ takings }) => takings));
  const lowest = Math.max(highest * 0.08, ...days.map(({ refunds }) => refunds));
  const scale = (height - 2) / (highest + lowest);
  const zero = 1 + highest * scale;
  const summary = chartTexts.chartSummary(formatDollars(total.takings), formatDollars(total.refunds), total.orders);
  return (
    <div>
      <h3 className={styles.title}>{chartTexts.chart}</h3>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${chartTexts.chart}. ${chartTexts.chartOf(calendarDayText(from), calendarDayText(to))}: ${summary}.`}
      >
        {days.map((day, index) => (
          <g key={day.date}>
            <title>
              {chartTexts.bar(calendarDayText(day.date), formatDollars(day.takings), formatDollars(day.refunds))}
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
          {chartTexts.takings}
        </span>
        <span className={styles.key} data-series="refunds">
          {chartTexts.refunds}
        </span>
        <span>{chartTexts.chartOf(calendarDayText(from), calendarDayText(to))}</span>
      </p>
      <details className={styles.days}>
        <summary>{chartTexts.asTable}</summary>
        <DataTable
          label={chartTexts.chart}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { title: chartTexts.day, render: ({ date }) => calendarDayText(date) },
            { title: chartTexts.orders, align: 'right', render: ({ orders }) => orders.toLocaleString('en-US') },
            { title: chartTexts.takings, align: 'right', render: ({ takings }) => formatDollars(takings) },
            { title: chartTexts.refunds, align: 'right', render: ({ refunds }) => formatDollars(refunds) },
          ]}
        />
      </details>
    </div>
  );
}
