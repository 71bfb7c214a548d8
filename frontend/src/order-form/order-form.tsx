import { useNavigate } from '@tanstack/react-router';
import { useActorRef } from '@xstate/react';
import { Suspense, use, useDeferredValue, useEffect, useState } from 'react';
import { whenFramed } from '../embed/in-frame.ts';
import { isFramed } from '../shared/framed.ts';
import { sessionStore } from '../shared/storage.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import { useInBrowser } from '../shared/use-in-browser.ts';
import { CartStep } from './cart-step.tsx';
import type { OrderDraft } from './draft.ts';
import { draftSaver, loadDraft } from './draft-storage.ts';
import { keepDraft } from './keep-draft.ts';
import styles from './order-form.module.css';
import { type OrderFormActor, OrderFormActorContext, useOrderForm } from './order-form-actor.ts';
import { draftOf, orderFormMachine } from './order-form-machine.ts';
import { OrderSteps } from './order-steps.tsx';
import { RugsStep } from './rugs-step.tsx';
import { stepOf } from './selectors.ts';
import { draftAt, placeOf, useStepHistory } from './step-history.ts';
import { orderFormTexts } from './texts.ts';
import { usePreloadedCart } from './use-cart-module.ts';
import { useNotices } from './use-notices.ts';

/**
 * Only the browser knows the saved draft, so the server renders a placeholder without inputs, because nothing works
 * before hydration. A deferred second render shows the form without blocking scrolling and taps.
 */
export function OrderForm() {
  return useDeferredValue(useInBrowser()) ? <SavedForm /> : <FormPlaceholder />;
}

function SavedForm() {
  const [stored] = useState(() => loadDraft(Date.now()));
  return (
    <Suspense fallback={<FormPlaceholder />}>
      <StartedForm stored={stored} />
    </Suspense>
  );
}

/** As high as a new form, to avoid a layout shift. Its id makes links to `#order` work before the form loads. */
function FormPlaceholder() {
  return (
    <section className={classNames(styles.form, styles.place)} id="order" aria-label={orderFormTexts.formHeading}>
      <Skeleton height="640px" />
    </section>
  );
}

function StartedForm({ stored }: { readonly stored: OrderDraft | Promise<OrderDraft> }) {
  const draft = stored instanceof Promise ? use(stored) : stored;
  const [input] = useState(() => ({
    ...draftAt(draft, placeOf(window.location.hash)),
    refusedEmail: sessionStore.read('refusedEmail'),
  }));
  const actor = useActorRef(orderFormMachine, { input });
  useSavedDraft(actor, input);
  useParentPage(actor);
  return (
    <OrderFormActorContext value={actor}>
      <section className={styles.form} id="order" aria-label={orderFormTexts.formHeading}>
        {isFramed() && <PageTitle className={styles.title}>{orderFormTexts.formHeading}</PageTitle>}
        <Steps />
      </section>
    </OrderFormActorContext>
  );
}

function Steps() {
  const navigate = useNavigate();
  const summary = useNotices(() => void navigate({ to: '/checkout' }));
  useStepHistory();
  usePreloadedCart();
  const step = useOrderForm(stepOf);
  return (
    <>
      {step === 'rugs' ? <RugsStep summary={summary} /> : <CartStep summary={summary} />}
      <OrderSteps />
    </>
  );
}

function useSavedDraft(actor: OrderFormActor, opened: OrderDraft): void {
  const [saveDraft] = useState(() => draftSaver(opened));
  useEffect(() => {
    const save = () => {
      const snapshot = actor.getSnapshot();
      saveDraft(draftOf(snapshot.context, stepOf(snapshot)), Date.now());
    };
    return keepDraft(actor, save, window);
  }, [actor, saveDraft]);
}

function useParentPage(actor: OrderFormActor): void {
  useEffect(() => {
    const left = new AbortController();
    whenFramed(({ linkOrderForm }) => linkOrderForm(actor, left.signal));
    return () => left.abort();
  }, [actor]);
}
