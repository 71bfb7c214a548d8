import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { glanceQuery } from '../shared/accounting/glance-query.ts';
import cards from '../shared/ui/card.module.css';
import { Loaded } from '../shared/ui/loaded.tsx';
import { useComparing } from './books-calls.ts';
import { CheckCard } from './check-card.tsx';
import { ClearingCard } from './clearing-card.tsx';
import { ComparisonCard } from './comparison-card.tsx';
import { DifferencesCard } from './differences-card.tsx';
import { MoneyCard } from './money-card.tsx';
import { ResolvedCard } from './resolved-card.tsx';
import { booksTexts } from './texts.ts';

/** Whether the books agree, where the money is, the differences, and whether anything was changed. */
export function BooksPage() {
  usePageTitle(booksTexts.title);
  const comparing = useComparing();
  const query = useQuery(glanceQuery);
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
            <CheckCard glance={glance} />
          </>
        )}
      </Loaded>
    </div>
  );
}
