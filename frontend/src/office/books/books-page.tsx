import type { Glance } from '@kilim/bff/contract/glance';
import { useQuery } from '@tanstack/react-query';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card, Facts } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { glanceQuery } from './books-calls.ts';
import { ClearingCard } from './clearing-card.tsx';
import { ComparisonCard } from './comparison-card.tsx';
import { DifferencesCard } from './differences-card.tsx';
import { MoneyCard, SealsCard } from './money-card.tsx';
import { ResolvedCard } from './resolved-card.tsx';
import { booksTexts } from './texts.ts';
import { useComparing } from './use-comparing.ts';

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

/** When each witness got the newest note. */
function WitnessCard({ glance: { witnesses } }: { readonly glance: Glance }) {
  return (
    <Card title={booksTexts.witnesses} note={booksTexts.witnessesNote}>
      {witnesses.length === 0 ? (
        <p>{booksTexts.noWitness}</p>
      ) : (
        <Facts
          facts={witnesses.map((witness) => [
            booksTexts.witness(witness.kind, witness.to),
            <WitnessState key={witness.to} witness={witness} />,
          ])}
        />
      )}
    </Card>
  );
}

type WitnessStateProps = { readonly witness: Glance['witnesses'][number] };

function WitnessState({ witness: { last, isLate } }: WitnessStateProps) {
  const { timeZone } = usePageData().config.business;
  const sent = last === null ? booksTexts.noNote : booksTexts.gotNote(last.sequence, timeText(last.sentAt, timeZone));
  if (isLate) {
    return (
      <>
        <Badge tone="failed">{booksTexts.late}</Badge> {sent} {booksTexts.whenLate}
      </>
    );
  }
  return (
    <>
      <Badge tone={last === null ? 'pending' : 'completed'}>{last === null ? booksTexts.waits : booksTexts.kept}</Badge>{' '}
      {sent}
    </>
  );
}
