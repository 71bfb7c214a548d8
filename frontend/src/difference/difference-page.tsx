import { type Difference, difference } from '@kilim/bff/contract/differences';
import { emptyContact } from '@kilim/domain/contact';
import { formatDay } from '@kilim/domain/format-day';
import { type Cents, cents, decimalDollars, formatDollars, sumCents } from '@kilim/domain/money';
import { formatSize, side } from '@kilim/domain/rug';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fromPromise } from 'xstate';
import { outcomeOf, paymentAnswer } from '../checkout/checkout-calls.ts';
import { browserCheckout } from '../checkout/checkout-effects.ts';
import { CheckoutLoading } from '../checkout/checkout-loading.tsx';
import type { ChargeInput } from '../checkout/checkout-machine.ts';
import { CheckoutScreen } from '../checkout/checkout-screen.tsx';
import type { ChargeEvent } from '../checkout/outcomes.ts';
import { loadAttempt } from '../checkout/remembered-attempt.ts';
import { ApiError, load } from '../shared/api-client.ts';
import { call } from '../shared/call.ts';
import { usePageData } from '../shared/page-data.ts';
import { Queries } from '../shared/queries.tsx';
import { Button, buttonClass } from '../shared/ui/button.tsx';
import { Page, PhoneLink } from '../shared/ui/page.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { usePageTitle } from '../shared/use-page-title.ts';
import styles from './difference.module.css';
import { differenceTexts as texts } from './texts.ts';

const route = getRouteApi('/difference/$differenceId');

/** What a customer pays because rugs are larger than ordered; a link from the shop leads here. */
export function DifferencePage() {
  const { differenceId } = route.useParams();
  return (
    <Page>
      <div className={styles.screen}>
        <Queries>
          <DifferenceView key={differenceId} id={differenceId} />
        </Queries>
      </div>
    </Page>
  );
}

function differenceQuery(id: string) {
  return queryOptions({
    queryKey: ['difference', id],
    queryFn: ({ signal }) =>
      load({ ...call('GET /api/differences/:id', { params: { id }, answer: difference }), signal }),
    // A payment that runs on this page must not lose its form.
    refetchOnWindowFocus: false,
  });
}

function DifferenceView({ id }: { readonly id: string }) {
  usePageTitle(texts.title);
  const { data, error, refetch, isFetching } = useQuery(differenceQuery(id));
  const [isRefused, setIsRefused] = useState(false);
  // Perhaps the shop has withdrawn or replaced the request since the page was opened.
  const onRefused = () => {
    setIsRefused(true);
    void refetch();
  };
  if (data !== undefined) return <Shown id={id} found={data} isRefused={isRefused} onRefused={onRefused} />;
  if (error === null) return <CheckoutLoading />;
  const isUnknown = error instanceof ApiError && error.failure.kind === 'refused' && error.failure.status === 404;
  if (isUnknown) return <Ended />;
  return (
    <div className={styles.intro}>
      <PageTitle>{texts.failedTitle}</PageTitle>
      <p>{texts.failed}</p>
      <Button busy={isFetching} onClick={() => void refetch()}>
        {texts.again}
      </Button>
    </div>
  );
}

type ShownProps = { readonly id: string; readonly found: Difference; readonly onRefused: () => void };

function Shown({ id, found, isRefused, onRefused }: ShownProps & { readonly isRefused: boolean }) {
  const { status, quote, number, paymentId, newer } = found;
  if (status === 'paid' && paymentId !== null) {
    return (
      <div className={styles.intro}>
        <PageTitle>{texts.paidTitle}</PageTitle>
        {newer === null ? <p>{texts.paidText(number)}</p> : <Newer {...newer} />}
        <Link to="/payment-success" search={{ payment_id: paymentId }} className={buttonClass('secondary')}>
          {texts.receipt}
        </Link>
      </div>
    );
  }
  if (quote === null) return <Ended newer={newer} isRefused={isRefused} />;
  return <Payable id={id} found={found} quote={quote} onRefused={onRefused} />;
}

type EndedProps = { readonly newer?: Difference['newer']; readonly isRefused?: boolean };

function Ended({ newer = null, isRefused = false }: EndedProps) {
  return (
    <div className={styles.intro}>
      <PageTitle>{newer === null ? texts.endedTitle : texts.replacedTitle}</PageTitle>
      {isRefused && <p>{texts.notCharged}</p>}
      {newer === null ? <p>{texts.ended}</p> : <Newer {...newer} />}
      <Call />
    </div>
  );
}

function Newer({ id, amount }: NonNullable<Difference['newer']>) {
  return (
    <>
      <p>{texts.newer(formatDollars(amount))}</p>
      <Link to="/difference/$differenceId" params={{ differenceId: id }} className={buttonClass('primary')}>
        {texts.openNewer(formatDollars(amount))}
      </Link>
    </>
  );
}

function Payable({ id, found, quote, onRefused }: ShownProps & { readonly quote: NonNullable<Difference['quote']> }) {
  const { number, ordered, measuring, expiresOn } = found;
  const [input] = useState(() => {
    const attempt = loadAttempt();
    return {
      order: { ...quote, customerInfo: emptyContact },
      attempt: attempt?.orderId === id ? attempt : undefined,
      isDifference: true,
    };
  });
  const [machine] = useState(() => checkoutOf(onRefused));
  return (
    <>
      <div className={styles.intro}>
        <PageTitle>{texts.title}</PageTitle>
        <p>{texts.intro(number)}</p>
        <Panel title={texts.rugs} headingId="difference-rugs">
          <ul className={styles.rugs}>
            {quote.rugs.map((rug, index) => {
              const measured = {
                width: side(rug.widthFeet, rug.widthInches),
                length: side(rug.lengthFeet, rug.lengthInches),
              };
              const before = ordered[index] as typeof measured | undefined;
              const isSame = before?.width === measured.width && before.length === measured.length;
              return (
                <li key={texts.rug(index + 1)}>
                  <span>
                    <strong>{texts.rug(index + 1)}</strong>{' '}
                    {isSame || before === undefined
                      ? texts.same(formatSize(measured))
                      : texts.sizes(formatSize(before), formatSize(measured))}
                  </span>
                  {rug.totalCost > 0 && <span>{partsOf(rug)}</span>}
                </li>
              );
            })}
            {quote.deliveryMinimum > 0 && (
              <li>
                <span>{texts.deliveryMinimum}</span>
                <span>{more(quote.deliveryMinimum)}</span>
              </li>
            )}
            <li className={styles.total}>
              <span>{texts.total}</span>
              <span>{formatDollars(quote.totalAmount)}</span>
            </li>
          </ul>
          <p className={styles.note}>
            {texts.measuring} {measuring} {expiresOn !== null && texts.expires(formatDay(expiresOn))}
          </p>
          <Call />
        </Panel>
      </div>
      <CheckoutScreen input={input} machine={machine} />
    </>
  );
}

type Rug = NonNullable<Difference['quote']>['rugs'][number];

/** `Cleaning +$55.04, Pickup & delivery +$4.63` */
function partsOf({ baseCost, deliveryCost, stainProtectionCost, mothProtectionCost, totalCost }: Rug): string {
  const known = [baseCost, deliveryCost, stainProtectionCost, mothProtectionCost];
  const tax = cents(totalCost - sumCents(known));
  return [...known, tax]
    .map((amount, index) => (amount === 0 ? '' : `${texts.charges[index]} ${more(amount)}`))
    .filter(Boolean)
    .join(', ');
}

function more(amount: Cents): string {
  return `+${formatDollars(amount)}`;
}

function Call() {
  const { phone } = usePageData().config.business;
  if (phone === '') return null;
  return (
    <p className={styles.note}>
      {texts.call} <PhoneLink phone={phone} />
    </p>
  );
}

/** Its order is no order of the cart. */
function checkoutOf(onRefused: () => void): typeof browserCheckout {
  return browserCheckout.provide({
    actors: {
      charge: fromPromise<ChargeEvent, ChargeInput>(async ({ input, signal }) => {
        const outcome = await sendDifference(input, signal);
        if (outcome.type === 'payment.refused') onRefused();
        return outcome;
      }),
    },
    actions: { keepOrder: () => undefined },
  });
}

async function sendDifference(input: ChargeInput, signal: AbortSignal): Promise<ChargeEvent> {
  const { token, attempt, order } = input;
  const { idempotencyKey, orderId: id } = attempt;
  const body = { token, amount: decimalDollars(order.totalAmount), idempotencyKey };
  const paying = call('POST /api/differences/:id/pay', { params: { id }, body, answer: paymentAnswer });
  return await outcomeOf(input, { ...paying, signal });
}
