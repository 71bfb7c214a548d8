import type { Glance } from '@kilim/bff/contract/glance';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { glanceQuery } from '../shared/accounting/glance-query.ts';
import cards from '../shared/ui/card.module.css';
import { Card, Facts } from '../shared/ui/card.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { useComparing } from './books-calls.ts';
import { CheckCard } from './check-card.tsx';
import { ClearingCard } from './clearing-card.tsx';
import { ComparisonCard } from './comparison-card.tsx';
import { DifferencesCard } from './differences-card.tsx';
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

function MoneyCard({ glance: { now, comparison } }: { readonly glance: Glance }) {
  const elsewhere = comparison?.paidOut.elsewhere ?? 0;
  return (
    <Card title={booksTexts.money} note={booksTexts.moneyNote}>
      <Facts
        facts={[
          [booksTexts.takenByCard, formatDollars(now.taken)],
          [booksTexts.cardRefunds, formatDollars(now.cardRefunds)],
          [booksTexts.fees, formatDollars(now.fees)],
          now.disputes !== 0 && [booksTexts.disputed, formatDollars(now.disputes)],
          now.unidentified !== 0 && [booksTexts.unidentified, formatDollars(now.unidentified)],
          now.onlyInPayouts !== 0 && [booksTexts.onlyInPayouts, formatDollars(now.onlyInPayouts)],
          now.writtenOff !== 0 && [booksTexts.writtenOff, formatDollars(now.writtenOff)],
          [booksTexts.squareHas, formatDollars(now.atSquare)],
          [booksTexts.onItsWay, formatDollars(now.onItsWay)],
          [booksTexts.atBank, formatDollars(now.atBank)],
          elsewhere !== 0 && [booksTexts.elsewhere, formatDollars(elsewhere)],
        ]}
      />
    </Card>
  );
}
