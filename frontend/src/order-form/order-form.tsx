import { useNavigate } from '@tanstack/react-router';
import { useActorRef } from '@xstate/react';
import { useEffect, useState } from 'react';
import { isFramed } from '../shared/framed.ts';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { CartStep } from './cart-step.tsx';
import { loadDraft, saveDraft } from './draft-storage.ts';
import { keepDraft } from './keep-draft.ts';
import styles from './order-form.module.css';
import { type OrderFormActor, OrderFormActorContext, useOrderForm } from './order-form-actor.ts';
import { draftOf, orderFormMachine } from './order-form-machine.ts';
import { OrderSteps } from './order-steps.tsx';
import { RugsStep } from './rugs-step.tsx';
import { stepOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { useNotices } from './use-notices.ts';

/** The order form, started from what this browser kept of it. */
export function OrderForm() {
  const [input] = useState(() => loadDraft(Date.now()));
  const actor = useActorRef(orderFormMachine, { input });
  useKeptDraft(actor);
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
  const step = useOrderForm(stepOf);
  return (
    <>
      {step === 'rugs' ? <RugsStep summary={summary} /> : <CartStep summary={summary} />}
      <OrderSteps />
    </>
  );
}

function useKeptDraft(actor: OrderFormActor): void {
  useEffect(() => {
    const save = () => {
      const snapshot = actor.getSnapshot();
      saveDraft(draftOf(snapshot.context, stepOf(snapshot)), Date.now());
    };
    return keepDraft(actor, save, window);
  }, [actor]);
}
