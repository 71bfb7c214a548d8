import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { Busy } from '../ui/busy.tsx';
import cards from '../ui/card.module.css';
import { LoadProblem } from '../ui/load-problem.tsx';
import { glanceQuery } from './books-calls.ts';
import { ComparisonCard } from './comparison-card.tsx';
import { DifferencesCard } from './differences-card.tsx';
import { MoneyCard, SealsCard } from './money-card.tsx';
import { booksTexts } from './texts.ts';
import { useComparing } from './use-comparing.ts';

/** Whether the books agree, where the money is, and the differences. */
export function BooksPage() {
  usePageTitle(booksTexts.title);
  const comparing = useComparing();
  const { data, error, refetch } = useQuery({
    ...glanceQuery,
    refetchOnMount: 'always',
    refetchInterval: comparing.isUnderWay ? 2000 : false,
  });
  return (
    <div className={cards.stack}>
      {error !== null && <LoadProblem title={booksTexts.loadFailed} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Busy text={booksTexts.loading} />}
      {data !== undefined && (
        <>
          <ComparisonCard glance={data} comparing={comparing} />
          <DifferencesCard glance={data} />
          <MoneyCard glance={data} />
          <SealsCard glance={data} />
        </>
      )}
    </div>
  );
}
