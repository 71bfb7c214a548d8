import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './accounting.module.css';
import { contentsQuery, tokensQuery, useRevoke } from './accounting-calls.ts';
import { ClosingCard } from './closing-card.tsx';
import { rangeOf, todayIn } from './day-range.ts';
import { NewTokenForm } from './new-token.tsx';
import { RangeChoice } from './range-choice.tsx';
import { RangeContents } from './range-contents.tsx';
import { exportTexts, tokenTexts } from './texts.ts';
import { TokenRow } from './token-row.tsx';

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
      <NewTokenForm onCreated={() => void query.refetch()} />
      <Loaded query={query} loading={tokenTexts.loading} failed={tokenTexts.loadFailed}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p>{tokenTexts.none}</p>
          ) : (
            <ul className={styles.list} aria-label={tokenTexts.list}>
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token.id)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
