import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { useNavigate } from '@tanstack/react-router';
import { PricedOrder } from '../shared/priced-order/priced-order.tsx';
import { sharedTexts } from '../shared/texts.ts';
import { Button } from '../shared/ui/button.tsx';
import { ArrowLeftIcon, ChevronIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { VisuallyHidden } from '../shared/ui/visually-hidden.tsx';
import { useMediaQuery } from '../shared/use-media-query.ts';
import { usePageTitle } from '../shared/use-page-title.ts';
import styles from './checkout.module.css';
import { browserCheckout } from './checkout-effects.ts';
import type { CheckoutInput } from './checkout-machine.ts';
import { LeaveCheckout } from './leave-checkout.tsx';
import type { Notice } from './outcomes.ts';
import { PaymentPanel } from './payment-panel.tsx';
import { checkoutTexts } from './texts.ts';
import { useCheckout } from './use-checkout.ts';

type CheckoutScreenProps = { readonly input: CheckoutInput; readonly machine?: typeof browserCheckout };

export function CheckoutScreen({ input, machine = browserCheckout }: CheckoutScreenProps) {
  const { isDifference } = input;
  const { state, send, isOrderless } = useCheckout(machine, input);
  const { order, notice } = state.context;
  const isUnsure = state.matches({ payment: { sent: 'unsure' } });
  usePageTitle(isUnsure ? checkoutTexts.unsureTitle : pageTitle(notice));
  if (isOrderless) return <LeaveCheckout why="NothingCharged" />;
  return (
    <div className={styles.screen}>
      <header>
        {!isDifference && <BackButton />}
        {isDifference ? <h2>{checkoutTexts.heading}</h2> : <PageTitle>{checkoutTexts.heading}</PageTitle>}
      </header>
      {order !== undefined && !isDifference && <OrderPanel order={order} />}
      <PaymentPanel state={state} send={send} />
    </div>
  );
}

/** Marks errors, so that a customer in another tab notices them. */
function pageTitle(notice: Notice | undefined): string {
  const isError = notice !== undefined && notice.code !== 'NothingCharged' && notice.code !== 'WalletSilent';
  return `${isError ? sharedTexts.errorTitlePrefix : ''}${checkoutTexts.heading}`;
}

/** The order form restores its saved draft. */
function BackButton() {
  const navigate = useNavigate();
  return (
    <Button variant="quiet" className={styles.back} onClick={() => void navigate({ to: '/', hash: 'cart' })}>
      <ArrowLeftIcon />
      {checkoutTexts.back}
    </Button>
  );
}

/** On a narrow screen above the payment: there its lines are shown on request. */
function OrderPanel({ order }: { readonly order: CurrentOrder }) {
  const isBeside = useMediaQuery('(width >= 960px)');
  const { rugs, totalAmount: total, deliveryCost, salesTax, salesTaxName } = order;
  const isPickup = order.deliveryOption === 'pickup';
  const lines = <PricedOrder rugs={rugs} amounts={{ isPickup, deliveryCost, salesTax, salesTaxName, total }} />;
  if (isBeside) {
    return (
      <Panel title={checkoutTexts.summaryTitle} headingId="checkout-summary" className={styles.summary}>
        {lines}
      </Panel>
    );
  }
  return (
    <section className={styles.folded} aria-labelledby="checkout-summary">
      <details>
        <summary>
          <h2 id="checkout-summary">{checkoutTexts.summaryTitle}</h2>
          <span>{checkoutTexts.rugs(rugs.length)}</span>
          <strong>
            <VisuallyHidden>{checkoutTexts.amountToPay}</VisuallyHidden> <Money amount={total} />
            <ChevronIcon />
          </strong>
        </summary>
        {lines}
      </details>
    </section>
  );
}
