import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { Cents } from '@kilim/domain/money';
import { useNavigate } from '@tanstack/react-router';
import { PricedOrder } from '../shared/priced-order/priced-order.tsx';
import { sharedTexts } from '../shared/texts.ts';
import { Button } from '../shared/ui/button.tsx';
import { ArrowLeftIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { usePageTitle } from '../shared/use-page-title.ts';
import styles from './checkout.module.css';
import type { CheckoutInput } from './checkout-machine.ts';
import type { Notice } from './outcomes.ts';
import { PaymentPanel } from './payment-panel.tsx';
import { checkoutTexts } from './texts.ts';
import { useCheckout } from './use-checkout.ts';

export function CheckoutScreen({ input }: { readonly input: CheckoutInput }) {
  const { state, send } = useCheckout(input);
  const { order, notice } = state.context;
  const isUnsure = state.matches({ payment: { sent: 'unsure' } });
  usePageTitle(isUnsure ? checkoutTexts.unsureTitle : pageTitle(notice));
  return (
    <div className={styles.screen}>
      <header>
        <BackButton />
        <PageTitle>{checkoutTexts.heading}</PageTitle>
        {order !== undefined && <AmountToPay total={order.totalAmount} />}
      </header>
      {order !== undefined && <OrderPanel order={order} />}
      <PaymentPanel state={state} send={send} />
    </div>
  );
}

/** The tab's title marks errors, so that a customer in another tab notices them. */
function pageTitle(notice: Notice | undefined): string {
  const isError = notice !== undefined && notice.code !== 'NothingCharged';
  return `${isError ? sharedTexts.errorTitlePrefix : ''}${checkoutTexts.heading}`;
}

/** Leads back to the cart. The order form restores its saved draft. */
function BackButton() {
  const navigate = useNavigate();
  return (
    <Button variant="quiet" className={styles.back} onClick={() => void navigate({ to: '/', hash: 'cart' })}>
      <ArrowLeftIcon />
      {checkoutTexts.back}
    </Button>
  );
}

function AmountToPay({ total }: { readonly total: Cents }) {
  return (
    <p className={styles.amount}>
      {checkoutTexts.amountToPay}{' '}
      <strong>
        <Money amount={total} />
      </strong>
    </p>
  );
}

function OrderPanel({ order }: { readonly order: CurrentOrder }) {
  return (
    <Panel title={checkoutTexts.summaryTitle} headingId="checkout-summary">
      <PricedOrder
        rugs={order.rugs}
        amounts={{
          isPickup: order.deliveryOption === 'pickup',
          deliveryCost: order.deliveryCost,
          salesTax: order.salesTax,
        }}
        total={order.totalAmount}
      />
    </Panel>
  );
}
