import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../ui/card.module.css';
import { Loaded } from '../ui/loaded.tsx';
import { glanceQuery } from './books-calls.ts';
import { ClearingCard } from './clearing-card.tsx';
import { ComparisonCard } from './comparison-card.tsx';
import { DifferencesCard } from './differences-card.tsx';
import { MoneyCard, SealsCard } from './money-card.tsx';
import { ResolvedCard } from './resolved-card.tsx';
import { booksTexts } from './texts.ts';
import { useComparing } from './use-comparing.ts';
import { WitnessCard } from './witness-card.tsx';

/** Whether the books agree, where the money is, and the differences. */
export function BooksPage() {
  usePageTitle(booksTexts.title);
  const comparing = useComparing();
  const query = useQuery({
    ...glanceQuery,
    refetchInterval: comparing.isUnderWay ? 2000 : false,
  });
  return (
    <div className={cards.stack}>
      <Loaded query={query} loading={booksTexts.loading} failed={booksTexts.loadFailed}>
        {(glance) => (
          <>
            <ComparisonCard glance={glance} comparing={comparing} />
            <DifferencesCard glance={glance} />
            <ResolvedCard glance={glance} />
            <MoneyCard glance={glance} />
            <ClearingCard glance={glance} />
            <SealsCard glance={glance} />
            <WitnessCard glance={glance} />
          </>
        )}
      </Loaded>
    </div>
  );
}
