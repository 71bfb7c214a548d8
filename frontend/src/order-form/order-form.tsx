import { presetName } from '@kilim/domain/size-presets';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useActorRef } from '@xstate/react';
import { Suspense, use, useEffect, useState } from 'react';
import { fromPromise } from 'xstate';
import { whenFramed } from '../embed/in-frame.ts';
import { isFramed } from '../shared/framed.ts';
import { sessionStore } from '../shared/storage.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import { useInBrowser } from '../shared/use-in-browser.ts';
import { CartStep } from './cart-step.tsx';
import { newDraft, type OrderDraft, type Step, sizedRug } from './draft.ts';
import { draftSaver, isEnded, loadDraft } from './draft-storage.ts';
import { keepDraft } from './keep-draft.ts';
import styles from './order-form.module.css';
import { type OrderFormActor, OrderFormActorContext, useOffer, useOrderForm } from './order-form-actor.ts';
import { draftOf, orderFormMachine } from './order-form-machine.ts';
import { OrderSteps } from './order-steps.tsx';
import { RugsStep } from './rugs-step.tsx';
import { stepOf } from './selectors.ts';
import { sizeFormId } from './size-fields.tsx';
import { typedPreset } from './size-input.ts';
import { draftAt, placeOf, useStepHistory } from './step-history.ts';
import { orderFormTexts } from './texts.ts';
import { loadCart, usePreloadedCart } from './use-cart-module.ts';
import { useNotices } from './use-notices.ts';

/**
 * The server draws a new form. Only the browser knows the saved draft, which takes its place; until then
 * `start-page.js` hides the new form.
 */
export function OrderForm() {
  const first = useFirstDraft();
  const stored = useStoredDraft();
  if (!(stored instanceof Promise)) return <StartedForm input={first} isDrawn={stored === undefined} />;
  return (
    <Suspense fallback={<FormPlaceholder />}>
      <StoredForm stored={stored} />
    </Suspense>
  );
}

/** Undefined on the server and during hydration; null without a saved draft. */
function useStoredDraft(): Promise<OrderDraft> | null | undefined {
  const inBrowser = useInBrowser();
  const [stored, setStored] = useState<Promise<OrderDraft> | null>();
  if (inBrowser && stored === undefined) setStored(loadDraft(Date.now()));
  return inBrowser ? stored : undefined;
}

/** As high as a new form, to avoid a layout shift. Its id makes links to `#order` work before the form loads. */
function FormPlaceholder() {
  return (
    <section className={classNames(styles.form, styles.place)} id="order" aria-label={orderFormTexts.formHeading}>
      <Skeleton height="640px" />
    </section>
  );
}

function StoredForm({ stored }: { readonly stored: Promise<OrderDraft> }) {
  const draft = use(stored);
  const [input] = useState(() => ({
    ...draftAt(draft, placeOf(window.location.hash)),
    refusedEmail: sessionStore.read('refusedEmail'),
  }));
  useEffect(() => document.getElementById('root')?.removeAttribute('data-restoring'), []);
  return <StartedForm input={input} isDrawn={false} />;
}

/** From the cart's module, which is loaded before anything can be submitted. */
const orderFormOfBrowser = orderFormMachine.provide({
  actors: {
    requestQuote: fromPromise(async ({ input, signal }) => (await loadCart()).requestQuote(input, signal)),
  },
});

type StartedFormProps = {
  readonly input: OrderDraft & { readonly refusedEmail?: string | null };
  /** Not yet the browser's own: a saved draft may take its place. */
  readonly isDrawn: boolean;
};

function StartedForm({ input, isDrawn }: StartedFormProps) {
  const actor = useActorRef(orderFormOfBrowser, { input });
  useSavedDraft(actor, input);
  useParentPage(actor);
  return (
    <OrderFormActorContext value={actor}>
      <OrderSection isDrawn={isDrawn} />
    </OrderFormActorContext>
  );
}

function OrderSection({ isDrawn }: { readonly isDrawn: boolean }) {
  const step = useOrderForm(stepOf);
  return (
    <section
      className={styles.form}
      id="order"
      data-step={step}
      aria-busy={isDrawn}
      aria-label={orderFormTexts.formHeading}
    >
      {isFramed() && step === 'rugs' && <PageTitle className={styles.title}>{orderFormTexts.formHeading}</PageTitle>}
      <form id={sizeFormId} action="/#order" />
      <Steps step={step} isDrawn={isDrawn} />
    </section>
  );
}

type StepsProps = { readonly step: Step; readonly isDrawn: boolean };

function Steps({ step, isDrawn }: StepsProps) {
  const navigate = useNavigate();
  const summary = useNotices(() => void navigate({ to: '/checkout' }));
  useStepHistory(isDrawn);
  useEarlyInput(isDrawn);
  usePreloadedCart();
  return (
    <>
      {step === 'rugs' ? <RugsStep summary={summary} /> : <CartStep summary={summary} />}
      <OrderSteps />
    </>
  );
}

/** `start-page.js` repeats what the customer entered and pressed before the form was hydrated. */
function useEarlyInput(isDrawn: boolean): void {
  useEffect(() => {
    if (isDrawn) return;
    (document.getElementById('root') as { readonly replay?: () => void } | null)?.replay?.();
  }, [isDrawn]);
}

function useSavedDraft(actor: OrderFormActor, opened: OrderDraft): void {
  const router = useRouter();
  const [saveDraft] = useState(() => draftSaver(opened));
  useEffect(() => {
    const draft = () => {
      const snapshot = actor.getSnapshot();
      return draftOf(snapshot.context, stepOf(snapshot));
    };
    const save = () => saveDraft(draft(), Date.now());
    // Begins a new order, so that the same one is not paid twice.
    const changedElsewhere = (event: StorageEvent) => {
      if (isEnded(draft(), event, Date.now())) window.location.reload();
    };
    window.addEventListener('storage', changedElsewhere);
    // Before the order is stored, which a later change takes away, and before the checkout reads it.
    const quoted = actor.on('quoted', save);
    const stopBeforeLoad = router.subscribe('onBeforeLoad', save);
    const stop = keepDraft(actor, save, window);
    return () => {
      window.removeEventListener('storage', changedElsewhere);
      quoted.unsubscribe();
      stopBeforeLoad();
      stop();
    };
  }, [actor, router, saveDraft]);
}

function useParentPage(actor: OrderFormActor): void {
  useEffect(() => {
    const left = new AbortController();
    whenFramed(({ linkOrderForm }) => linkOrderForm(actor, left.signal));
    return () => left.abort();
  }, [actor]);
}

/** A new draft, with the common size that the address names (`?size=8x10`). The server renders the same. */
function useFirstDraft(): OrderDraft {
  const { sizePresets } = useOffer();
  const { size } = useRouter().state.location.search as { readonly size?: unknown };
  const [first] = useState(() => {
    const preset = sizePresets.find((each) => presetName(each) === size);
    const [rug] = newDraft.rugs;
    if (preset === undefined || rug === undefined) return newDraft;
    return { ...newDraft, rugs: [sizedRug(rug.rug, typedPreset(preset))] };
  });
  return first;
}
