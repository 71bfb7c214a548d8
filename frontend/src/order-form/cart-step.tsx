import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import type { ApiFailure } from '../shared/api-client.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { Button } from '../shared/ui/button.tsx';
import { ErrorSummary } from '../shared/ui/error-summary.tsx';
import { ArrowLeftIcon, ArrowRightIcon, LockIcon } from '../shared/ui/icons.tsx';
import { useOnline } from '../shared/use-online.ts';
import { ContactSection } from './contact-section.tsx';
import { DeliveryOptions } from './delivery-options.tsx';
import styles from './order-form.module.css';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { isContactComplete, isSubmitting, refusedProblemsOf, sameProblems } from './selectors.ts';
import { StepForm } from './step-form.tsx';
import { StepHeading } from './step-heading.tsx';
import { orderFormTexts } from './texts.ts';

export function CartStep({ summary }: { readonly summary: RefObject<HTMLElement | null> }) {
  const actor = useOrderFormActor();
  const router = useRouter();
  const problems = useOrderForm(refusedProblemsOf, sameProblems);
  const failure = useOrderForm((snapshot) => snapshot.context.failure);
  const submitting = useOrderForm(isSubmitting);
  // The next page is fetched while this one is filled in.
  useEffect(() => void router.preloadRoute({ to: '/checkout' }), [router]);
  return (
    <StepForm
      onContinue={() => actor.send({ type: 'cart.submitted' })}
      actions={
        <div className={styles.submit}>
          {failure !== undefined && <Failure failure={failure} />}
          <CartActions />
        </div>
      }
    >
      <StepHeading step="cart" failed={problems.length > 0} />
      <ErrorSummary problems={problems} ref={summary} />
      <div className={styles.step} inert={submitting}>
        <DeliveryOptions />
        <ContactSection />
      </div>
    </StepForm>
  );
}

function CartActions() {
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
