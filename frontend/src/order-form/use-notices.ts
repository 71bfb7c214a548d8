import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { bringIntoView, showStep } from '../embed/bring-into-view.ts';
import type { ApiFailure } from '../shared/api-client.ts';
import { logWarning } from '../shared/log.ts';
import { dismissToast, showToast } from '../shared/toast/toast-store.ts';
import { focusSummary } from '../shared/ui/error-summary.tsx';
import { cartRugsId, rugId, sizeFieldId } from './form-problems.ts';
import { type OrderFormActor, type OrderFormSnapshot, useOffer, useOrderFormActor } from './order-form-actor.ts';
import type { OrderFormNotice } from './order-form-events.ts';
import { quoteOf } from './quote-of.ts';
import { refusedProblemsOf, stepOf } from './selectors.ts';
import { orderFormTexts, refusalToasts } from './texts.ts';
import { loadCart } from './use-cart-module.ts';

/** Specification, section 9. */
const tabToRugMilliseconds = 50;

export const stepHeadingId = 'order-step';

/**
 * Runs the side effects after the page has rerendered.
 * @returns the ref for the error summary.
 */
export function useNotices(leaveForCheckout: () => void): RefObject<HTMLElement | null> {
  const actor = useOrderFormActor();
  const summary = useRef<HTMLElement>(null);
  const [notice, setNotice] = useState<OrderFormNotice>();
  const { rates } = useOffer();
  const leave = useEffectEvent(({ quote, contact }: Extract<OrderFormNotice, { type: 'quoted' }>) => {
    const shown = quoteOf(actor.getSnapshot().context, rates)?.total;
    void loadCart().then(({ saveCurrentOrder }) => {
      saveCurrentOrder({ ...quote, customerInfo: contact }, shown);
      leaveForCheckout();
    });
  });

  useEffect(() => {
    // A copy: the machine emits the same object for the same refusal.
    const subscription = actor.on('*', (emitted) => setNotice({ ...emitted }));
    return () => subscription.unsubscribe();
  }, [actor]);

  useEffect(() => {
    if (notice === undefined) return;
    if (notice.type === 'quoted') {
      dismissToast();
      leave(notice);
      return;
    }
    if (notice.type === 'refused') {
      // Before the toast, which covers no focused summary.
      focusSummary(summary.current, refusedProblemsOf(actor.getSnapshot()));
      const silent = notice.refusal === 'submitFailed';
      const dismiss = showToast({ ...refusalToasts[notice.refusal], variant: 'destructive', silent });
      if (silent) logWarning(failureLine(actor.getSnapshot().context.failure));
      const subscription = actor.subscribe((snapshot) => {
        if (isMended(snapshot)) dismiss();
      });
      return () => subscription.unsubscribe();
    }
    return moveTo(actor, notice);
  }, [actor, notice]);

  return summary;
}

function isMended(snapshot: OrderFormSnapshot): boolean {
  const { rugs, failure } = snapshot.context;
  return rugs.length > 0 && failure === undefined && refusedProblemsOf(snapshot).length === 0;
}

/** For the console (specification, section 8): names of fields, and no input. */
function failureLine(failure: ApiFailure | undefined): string {
  if (failure === undefined) return 'The order was not submitted';
  if (failure.kind === 'no-answer') return `The order was not submitted: no answer (${failure.cause})`;
  const { status, code, fields } = failure;
  return `The order was not submitted: ${[status, code, ...Object.keys(fields)].join(', ')}`;
}

type Movement = Exclude<OrderFormNotice, { type: 'quoted' | 'refused' }>;

/** @returns a function that cancels a delayed scroll. */
function moveTo(actor: OrderFormActor, notice: Movement): (() => void) | undefined {
  switch (notice.type) {
    case 'stepEntered': {
      const heading = document.getElementById(stepHeadingId);
      heading?.focus({ preventScroll: true });
      if (heading !== null) showStep(heading);
      return undefined;
    }
    case 'rugAdded':
      focusAndShow(rugId(notice.index), sizeFieldId(notice.index, 'widthFeet'));
      return undefined;
    case 'rugRemoved':
      offerUndo(actor, notice);
      if (isAtCart(actor)) focusAndShow(cartRugsId);
      else if (actor.getSnapshot().context.rugs.length === 0) focusAndShow(stepHeadingId);
      else focusAndShow(rugId(notice.index), `${rugId(notice.index)}-title`);
      return undefined;
    case 'rugVisited': {
      if (isAtCart(actor)) {
        focusAndShow(cartRugsId);
        return undefined;
      }
      const timer = setTimeout(
        () => focusAndShow(rugId(notice.index), `${rugId(notice.index)}-title`),
        tabToRugMilliseconds,
      );
      return () => clearTimeout(timer);
    }
  }
}

/** The cart has no card for each rug. */
function isAtCart(actor: OrderFormActor): boolean {
  return stepOf(actor.getSnapshot()) === 'cart';
}

function offerUndo(actor: OrderFormActor, notice: Extract<OrderFormNotice, { type: 'rugRemoved' }>): void {
  const { removed: rug, removedIndex: index } = notice;
  const undo = () => actor.send({ type: 'rug.restored', index, rug });
  showToast({
    title: orderFormTexts.rugRemoved(index),
    action: { label: orderFormTexts.undo, onPress: undo },
  });
}

/** The browser's own scroll to a focused field would hide the heading above it. */
function focusAndShow(id: string, focusId = id): void {
  document.getElementById(focusId)?.focus({ preventScroll: true });
  const target = document.getElementById(id);
  if (target !== null) bringIntoView(target);
}
