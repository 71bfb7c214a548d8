import { describeRug } from '@kilim/domain/describe-rug';
import { noCents, sumCents } from '@kilim/domain/money';
import { useState } from 'react';
import type { ApiFailure } from '../shared/api-client.ts';
import { usePageData } from '../shared/page-data.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { Button } from '../shared/ui/button.tsx';
import { ArrowLeftIcon, ArrowRightIcon, LockIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import { PhoneLink } from '../shared/ui/page.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { useOnline } from '../shared/use-online.ts';
import cartRugs from './cart-rugs.module.css';
import { cartTexts } from './cart-texts.ts';
import { ContactSection } from './contact-section.tsx';
import { DeliveryOptions } from './delivery-options.tsx';
import { cartRugsId } from './form-problems.ts';
import styles from './order-form.module.css';
import { useOffer, useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { stopsAtPickup } from './pickup-days.ts';
import { RugButton } from './rug-button.tsx';
import { isContactComplete, isSubmitting, rugsOf, sameItems } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { useIsTooLarge, useQuote } from './use-quote.ts';

// Submitting loads nothing: a connection that is lost in the cart must not matter after it is back.
export { saveCurrentOrder } from '../shared/stored-order.ts';
export { requestQuote } from './request-quote.ts';
export { stopsAtPickup };

/** `use-cart-module.ts` loads this module while the customer fills in the rugs. */
export function CartDetails() {
  const submitting = useOrderForm(isSubmitting);
  return (
    <div className={styles.step} inert={submitting}>
      <CartRugs />
      <DeliveryOptions />
      <ContactSection />
    </div>
  );
}

export function CartActions() {
  const failure = useOrderForm((snapshot) => snapshot.context.failure);
  const isTooLarge = useIsTooLarge();
  return (
    <div className={styles.submit}>
      {failure !== undefined && !isTooLarge && <Failure failure={failure} />}
      {isTooLarge ? <TooLarge /> : <CartButtons />}
    </div>
  );
}

/** Instead of the way to the payment. */
function TooLarge() {
  const { phone } = usePageData().config.business;
  const { largestOrder } = useOffer().rates;
  return (
    <>
      <Alert tone="notice" title={cartTexts.tooLarge} action={<PhoneLink phone={phone} />}>
        {cartTexts.tooLargeHint(largestOrder)}
      </Alert>
      <div className={styles.actions}>
        <BackToRugs />
      </div>
    </>
  );
}

function BackToRugs() {
  const actor = useOrderFormActor();
  return (
    <Button variant="secondary" onClick={() => actor.send({ type: 'cart.leftForRugs' })}>
      <ArrowLeftIcon />
      {cartTexts.backToRugs}
    </Button>
  );
}

function CartButtons() {
  const complete = useOrderForm(isContactComplete);
  const submitting = useOrderForm(isSubmitting);
  const messageId = 'contact-incomplete';
  return (
    <>
      {!complete && (
        <p id={messageId} className={styles.incomplete}>
          {cartTexts.contactIncomplete}
        </p>
      )}
      <div className={styles.actions}>
        <BackToRugs />
        {/* `aria-disabled` keeps the button pressable: a press shows which fields are missing. */}
        <Button
          type="submit"
          className={styles.onward}
          busy={submitting}
          aria-disabled={!complete}
          aria-describedby={complete ? undefined : messageId}
        >
          {submitting ? cartTexts.submitting : cartTexts.submit}
          {!submitting && <ArrowRightIcon />}
        </Button>
      </div>
      <p className={styles.secure}>
        <LockIcon />
        {cartTexts.secure}
      </p>
    </>
  );
}

/** Unlike the toast, it does not disappear. */
function Failure({ failure }: { readonly failure: ApiFailure }) {
  const online = useOnline();
  const message = failure.kind === 'refused' ? failure.message : '';
  const reason = message !== '' ? message : online ? cartTexts.failedNoAnswer : cartTexts.failedOffline;
  return (
    <Alert tone="danger" title={cartTexts.failed}>
      {reason}
    </Alert>
  );
}

const mostShown = 5;

function CartRugs() {
  const rugs = useOrderForm(rugsOf, sameItems);
  const quote = useQuote();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? rugs : rugs.slice(0, mostShown);
  return (
    <Panel headingId={cartRugsId} title={cartTexts.cartRugs(rugs.length)} className={cartRugs.panel}>
      <ol>
        {shown.map(({ id, rug }, index) => (
          <li key={id} className={cartRugs.rug}>
            <strong>{orderFormTexts.rug(index)}</strong>
            <p className={cartRugs.words}>{describeRug(rug)}</p>
            <p className={cartRugs.price}>
              <Money amount={priceOf(quote, index)} />
            </p>
            <div className={cartRugs.actions}>
              <RugButton index={index} sends="rug.visited" />
              <RugButton index={index} sends="rug.removed" />
            </div>
          </li>
        ))}
      </ol>
      {shown.length < rugs.length && (
        <Button variant="quiet" onClick={() => setShowsAll(true)}>
          {cartTexts.showAllRugs(rugs.length)}
        </Button>
      )}
    </Panel>
  );
}

/** With its add-ons. Delivery and tax are lines of the summary. */
function priceOf(quote: ReturnType<typeof useQuote>, index: number) {
  const charges = quote?.rugs[index]?.charges;
  return charges === undefined ? noCents : sumCents([charges.base, charges.stainProtection, charges.greenPad]);
}
