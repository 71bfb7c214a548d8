import type { Figures } from '@kilim/bff/contract/statistics';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { DataAge } from '../ui/data-age.tsx';
import { LoadProblem } from '../ui/load-problem.tsx';
import styles from './overview-strip.module.css';
import { statisticsQuery } from './statistics-query.ts';
import { TakingsChart } from './takings-chart.tsx';
import { layoutTexts } from './texts.ts';

/** The figures of today and this month, above the tabs. */
export function OverviewStrip() {
  const { data, error, refetch } = useQuery(statisticsQuery);
  return (
    <section className={styles.strip} aria-label={layoutTexts.overview}>
      {data === undefined && error === null && (
        <div className={styles.loading} role="status" aria-label={layoutTexts.loadingFigures}>
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        </div>
      )}
      {data === undefined && error !== null && (
        <LoadProblem title={layoutTexts.figuresFailed} error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <>
          <DataAge seconds={data.ageSeconds} />
          <FiguresCard title={layoutTexts.today} figures={data.today} />
          <FiguresCard title={layoutTexts.thisMonth} figures={data.thisMonth} />
          <TakingsChart statistics={data} />
        </>
      )}
    </section>
  );
}

function FiguresCard({ title, figures }: { readonly title: string; readonly figures: Figures }) {
  const shown = [
    [layoutTexts.takings, formatDollars(figures.takings)],
    [layoutTexts.refunds, formatDollars(figures.refunds)],
    [layoutTexts.orders, figures.orders],
  ] as const;
  return (
    <div className={styles.card}>
      <h2 className={styles.title}>{title}</h2>
      <dl className={styles.figures}>
        {shown.map(([term, figure]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
