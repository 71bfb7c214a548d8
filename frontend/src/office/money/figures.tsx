import { type Figures, type Statistics, statistics } from '@kilim/bff/contract/statistics';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { daySearch } from '../shared/list-search.ts';
import { LoadProblem } from '../shared/ui/load-problem.tsx';
import styles from './figures.module.css';
import { TakingsChart } from './takings-chart.tsx';
import { figuresTexts } from './texts.ts';

const statisticsQuery = adminQuery(
  [...moneyKey, 'statistics'],
  call('GET /api/admin/statistics', { answer: statistics }),
);

/** Beside those of the day and the month before. */
export function FiguresSection() {
  const { data, error, refetch } = useQuery(statisticsQuery);
  return (
    <section className={styles.strip} aria-label={figuresTexts.heading}>
      {data === undefined && error === null && (
        <div className={styles.loading} role="status" aria-label={figuresTexts.loading}>
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        </div>
      )}
      {error !== null && <LoadProblem title={figuresTexts.failed} error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <FiguresCard
            title={figuresTexts.today}
            figures={data.today}
            before={data.yesterday}
            beforeText={figuresTexts.yesterday}
            days={{ from: data.to, to: data.to }}
          />
          <FiguresCard
            title={figuresTexts.thisMonth}
            figures={data.thisMonth}
            before={data.lastMonth}
            beforeText={figuresTexts.lastMonth}
            days={{ from: firstOfMonth(data), to: data.to }}
            note={figuresTexts.sameDays}
          />
          <TakingsChart statistics={data} />
        </>
      )}
    </section>
  );
}

function firstOfMonth({ to }: Pick<Statistics, 'to'>): string {
  return `${to.slice(0, 'yyyy-mm'.length)}-01`;
}

type FiguresCardProps = {
  readonly title: string;
  readonly figures: Figures;
  readonly before: Figures;
  readonly beforeText: (figure: string) => string;
  readonly days: { readonly from: string; readonly to: string };
  readonly note?: string;
};

function FiguresCard({ title, figures, before, beforeText, days, note }: FiguresCardProps) {
  const shown = [
    [figuresTexts.takings, formatDollars(figures.takings), formatDollars(before.takings), '/admin/orders'],
    [figuresTexts.refunds, formatDollars(figures.refunds), formatDollars(before.refunds), '/admin/refunds'],
    [figuresTexts.orders, String(figures.orders), String(before.orders), '/admin/orders'],
  ] as const;
  return (
    <div className={styles.card}>
      <h2 className={styles.title}>{title}</h2>
      <dl className={styles.figures}>
        {shown.map(([term, figure, earlier, to]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              <Link to={to} search={daySearch(days)}>
                {figure}
              </Link>
              <span className={styles.before}>{beforeText(earlier)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {note !== undefined && <p className={styles.before}>{note}</p>}
    </div>
  );
}
