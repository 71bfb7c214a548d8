import type { Payout } from '@kilim/bff/contract/payouts';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import cards from '../shared/ui/card.module.css';
import { Card, type Fact, Facts } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { LinesTable, TotalsTable } from './payout-lines.tsx';
import { payoutQuery } from './payout-queries.ts';
import { PayoutStateBadge } from './payout-state.tsx';
import { payoutsTexts, payoutTexts } from './texts.ts';

const route = getRouteApi('/admin/payouts/$payoutId');

export function PayoutPage() {
  usePageTitle(payoutTexts.title);
  const { payoutId } = route.useParams();
  const query = useQuery(payoutQuery(payoutId));
  return (
    <div className={cards.stack}>
      <div>
        <Link to="/admin/payouts">{payoutTexts.back}</Link>
      </div>
      <Loaded
        query={query}
        loading={payoutTexts.loading}
        failed={payoutTexts.loadFailed}
        missing={payoutTexts.notFound}
      >
        {(payout) => <PayoutCards payout={payout} />}
      </Loaded>
    </div>
  );
}

function PayoutCards({ payout }: { readonly payout: Payout }) {
  const { timeZone } = usePageData().config.business;
  return (
    <>
      <Card title={payoutTexts.heading(fullDayText(payout.day))}>
        <Facts facts={factsOf(payout, timeZone)} />
      </Card>
      {payout.totals.length > 0 && (
        <Card title={payoutTexts.totals}>
          <TotalsTable payout={payout} />
        </Card>
      )}
      <Card title={payoutTexts.lines}>
        <LinesTable payout={payout} />
      </Card>
    </>
  );
}

function factsOf(
  { id, amount, state, sentAt, dueOn, arrivedOn, sentBackOn, bankReference }: Payout,
  timeZone: string,
): readonly (Fact | false)[] {
  const arrived =
    arrivedOn !== null
      ? ([payoutTexts.arrived, fullDayText(arrivedOn)] as const)
      : state === 'failed'
        ? ([payoutTexts.arrived, payoutTexts.neverArrived] as const)
        : ([payoutTexts.due, dueOn === null ? payoutTexts.unknown : fullDayText(dueOn)] as const);
  return [
    [payoutTexts.amount, formatDollars(amount)],
    [payoutsTexts.state, <PayoutStateBadge key="state" state={state} />],
    [payoutTexts.sent, timeText(sentAt, timeZone)],
    arrived,
    sentBackOn !== null && [payoutTexts.sentBack, fullDayText(sentBackOn)],
    bankReference !== null && codeFact(payoutTexts.bankReference, bankReference),
    codeFact(payoutTexts.id, id),
  ];
}

function codeFact(name: string, code: string): Fact {
  return [name, <code key={name}>{code}</code>, 'wide'];
}
