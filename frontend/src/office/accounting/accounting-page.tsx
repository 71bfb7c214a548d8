import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { usePageData } from '../../shared/page-data.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { rangeOf, todayIn } from '../shared/accounting/day-range.ts';
import { tokensQuery, useRevoke } from '../shared/accounting/export-calls.ts';
import { RangeChoice } from '../shared/accounting/range-choice.tsx';
import { tokenTexts } from '../shared/accounting/texts.ts';
import { TokenRow } from '../shared/accounting/token-row.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { Technical } from '../shared/ui/technical.tsx';
import styles from './accounting.module.css';
import { contentsQuery } from './accounting-calls.ts';
import { ClosingCard } from './closing-card.tsx';
import { NewTokenForm } from './new-token.tsx';
import { RangeContents } from './range-contents.tsx';
import { exportTexts } from './texts.ts';

const route = getRouteApi('/admin/accounting');

export function AccountingPage() {
  usePageTitle(exportTexts.title);
  return (
    <div className={cards.stack}>
      <ExportCard />
      <ClosingCard />
      <TokenCard />
    </div>
  );
}

function ExportCard() {
  const { timeZone } = usePageData().config.business;
  const today = todayIn(timeZone);
  const range = rangeOf(route.useSearch(), today);
  const navigate = route.useNavigate();
  const query = useQuery(contentsQuery(range));
  return (
    <Card title={exportTexts.heading} note={exportTexts.note(timeZone)}>
      <RangeChoice
        label={exportTexts.range}
        range={range}
        today={today}
        onChoose={(search) => void navigate({ search, replace: true })}
      />
      <Loaded query={query} loading={exportTexts.loading} failed={exportTexts.loadFailed}>
        {(contents) => <RangeContents contents={contents} range={range} />}
      </Loaded>
    </Card>
  );
}

function TokenCard() {
  const query = useQuery(tokensQuery);
  const revoke = useRevoke();
  return (
    <Card title={tokenTexts.heading} note={tokenTexts.note}>
      <Technical summary={tokenTexts.show}>
        <NewTokenForm onCreated={() => void query.refetch()} />
        <Loaded query={query} loading={tokenTexts.loading} failed={tokenTexts.loadFailed}>
          {(tokens) =>
            tokens.length === 0 ? (
              <p>{tokenTexts.none}</p>
            ) : (
              <ul className={classNames(cards.divided, styles.list)} aria-label={tokenTexts.list}>
                {tokens.map((token) => (
                  <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token.id)} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Technical>
    </Card>
  );
}
