import { type RefObject, useEffect, useRef, useState } from 'react';
import { dismissToast, showToast } from '../shared/toast/toast-store.ts';
import { focusSummary } from '../shared/ui/error-summary.tsx';
import { rugId, sizeFieldId } from './form-problems.ts';
import { type OrderFormActor, useOrderFormActor } from './order-form-actor.ts';
import type { OrderFormNotice } from './order-form-events.ts';
import { orderFormTexts, refusalToasts } from './texts.ts';

/**
 * The delay between the press on a rug's tab and the scroll to the rug (specification, section 9).
 */
const tabToRugMilliseconds = 50;

/** The id of a step's heading, which takes the focus when the step is entered. */
export const stepHeadingId = 'order-step';

/**
 * Runs the side effects of the form's notices after the page has rerendered.
 * @returns the ref for the error summary
 */
export function useNotices(leaveForCheckout: () => void): RefObject<HTMLElement | null> {
  const actor = useOrderFormActor();
  const summary = useRef<HTMLElement>(null);
  const leave = useRef(leaveForCheckout);
  const [notice, setNotice] = useState<OrderFormNotice>();

  useEffect(() => {
    const subscription = actor.on('*', setNotice);
    return () => subscription.unsubscribe();
  }, [actor]);

  useEffect(() => {
    if (notice === undefined) return;
    if (notice.type === 'quoted') {
      dismissToast();
      const order = { ...notice.quote, customerInfo: notice.contact };
      // The quote's own request has loaded this module already.
      void import('../shared/stored-order.ts').then(({ saveCurrentOrder }) => {
        saveCurrentOrder(order);
        leave.current();
      });
      return;
    }
    if (notice.type === 'refused') {
      showToast({ ...refusalToasts[notice.refusal], variant: 'destructive' });
      focusSummary(summary.current);
      return;
    }
    return moveTo(actor, notice);
  }, [actor, notice]);

  return summary;
}

type Movement = Exclude<OrderFormNotice, { type: 'quoted' | 'refused' }>;

/**
 * Scrolls to the notice's target and focuses it.
 * @returns a function that cancels a delayed scroll
 */
function moveTo(actor: OrderFormActor, notice: Movement): (() => void) | undefined {
  switch (notice.type) {
    case 'stepEntered':
      bringIntoView(stepHeadingId);
      return undefined;
    case 'rugAdded':
      bringIntoView(rugId(notice.index), sizeFieldId(notice.index, 'widthFeet'));
      return undefined;
    case 'rugRemoved':
      offerUndo(actor, notice);
      if (actor.getSnapshot().context.rugs.length === 0) bringIntoView(stepHeadingId);
      else bringIntoView(rugId(notice.index), `${rugId(notice.index)}-title`);
      return undefined;
    case 'rugVisited': {
      const timer = setTimeout(
        () => bringIntoView(rugId(notice.index), `${rugId(notice.index)}-title`),
        tabToRugMilliseconds,
      );
      return () => clearTimeout(timer);
    }
  }
}

function offerUndo(actor: OrderFormActor, notice: Extract<OrderFormNotice, { type: 'rugRemoved' }>): void {
  const { removed: rug, removedIndex: index } = notice;
  const undo = () => actor.send({ type: 'rug.restored', index, rug });
  showToast({
    title: orderFormTexts.rugRemoved(index),
    action: { label: orderFormTexts.undo, onPress: undo },
  });
}

/**
 * Scrolls separately from focusing: the browser's own scroll to a focused field would hide the
 * heading above it.
 */
function bringIntoView(id: string, focusId = id): void {
  document.getElementById(focusId)?.focus({ preventScroll: true });
  document.getElementById(id)?.scrollIntoView({ block: 'start' });
}
