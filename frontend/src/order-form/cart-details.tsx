import type { ApiFailure } from '../shared/api-client.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { Button } from '../shared/ui/button.tsx';
import { ArrowLeftIcon, ArrowRightIcon, LockIcon } from '../shared/ui/icons.tsx';
import { useOnline } from '../shared/use-online.ts';
import { ContactSection } from './contact-section.tsx';
import { DeliveryOptions } from './delivery-options.tsx';
import styles from './order-form.module.css';
// Not used here, but needed as soon as the cart is sent.
import './request-quote.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { isContactComplete, isSubmitting } from './selectors.ts';
import { orderFormTexts } from './texts.ts';

/**
 * What the cart asks for. It is loaded apart from the rugs, while those are filled in: see
 * `use-cart-module.ts`.
 */
export function CartDetails() {
  const submitting = useOrderForm(isSubmitting);
  return (
    <div className={styles.step} inert={submitting}>
      <DeliveryOptions />
      <ContactSection />
    </div>
  );
}

export function CartActions() {
  const failure = useOrderForm((snapshot) => snapshot.context.failure);
  return (
    <div className={styles.submit}>
      {failure !== undefined && <Failure failure={failure} />}
      <CartButtons />
    </div>
  );
}

function CartButtons() {
  const actor = useOrderFormActor();
  const complete = useOrderForm(isContactComplete);
  const submitting = useOrderForm(isSubmitting);
  const messageId = 'contact-incomplete';
  return (
    <>
      {!complete && (
        <p id={messageId} className={styles.incomplete}>
          {orderFormTexts.contactIncomplete}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="secondary" onClick={() => actor.send({ type: 'cart.leftForRugs' })}>
          <ArrowLeftIcon />
          {orderFormTexts.backToRugs}
        </Button>
        {/* It looks and reads as disabled, and still says what is missing when it is pressed. */}
        <Button
          type="submit"
          className={styles.onward}
          busy={submitting}
          aria-disabled={!complete}
          aria-describedby={complete ? undefined : messageId}
        >
          {submitting ? orderFormTexts.submitting : orderFormTexts.submit}
          {!submitting && <ArrowRightIcon />}
        </Button>
      </div>
      <p className={styles.secure}>
        <LockIcon />
        {orderFormTexts.secure}
      </p>
    </>
  );
}

/** Why there is no quote. The toast says that it failed; this stays, and says what to do. */
function Failure({ failure }: { readonly failure: ApiFailure }) {
  const online = useOnline();
  const said = failure.kind === 'refused' ? failure.message : '';
  const reason = said !== '' ? said : online ? orderFormTexts.failedNoAnswer : orderFormTexts.failedOffline;
  return (
    <Alert tone="danger" title={orderFormTexts.failed}>
      {reason}
    </Alert>
  );
}
