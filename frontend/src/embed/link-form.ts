import { formatDollars } from '@kilim/domain/money';
import type { Rates } from '@kilim/domain/rates';
import type { OrderFormActor, OrderFormSnapshot } from '../order-form/order-form-actor.ts';
import { quoteOf } from '../order-form/quote-of.ts';
import { stepOf } from '../order-form/selectors.ts';
import type { Frame } from './frame.ts';
import type { MessageToParent, Progress } from './messages.ts';

let isParentBarHidden = false;

type LinkedForm = {
  readonly actor: OrderFormActor;
  readonly rates: Rates;
  readonly left: AbortSignal;
};

/** Reports progress and total, and follows navigation messages. */
export function linkForm({ parent, isSticky, onChange, onMessage }: Frame, { actor, rates, left }: LinkedForm) {
  let isHandlingMessage = false;
  const postChanged = skipRepeated(parent.post);
  const report = () => {
    const progress = progressOf(actor.getSnapshot());
    postChanged({ type: 'ACTIVE_RUG_UPDATE', ...progress });
    postChanged({ type: 'NAVBAR_UPDATE', ...progress, isSticky: isSticky() });
    const quote = quoteOf(actor.getSnapshot().context, rates);
    postChanged({ type: 'TOTAL_UPDATE', total: quote === undefined ? null : formatDollars(quote.total) });
  };
  if (isParentBarHidden) {
    parent.post({ type: 'SHOW_NAVBAR_AFTER_CHECKOUT' });
    parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  }
  isParentBarHidden = false;
  report();

  const changes = actor.subscribe(report);
  const notices = actor.on('*', (notice) => {
    if (notice.type === 'stepEntered') parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
    // The parent's own message is not reported back.
    const isVisit = notice.type === 'rugVisited' && !isHandlingMessage;
    if (isVisit || notice.type === 'rugAdded') parent.post({ type: 'NAVIGATE_TO_RUG', rugIndex: notice.index });
  });
  const stopChanges = onChange(report);
  const stopMessages = onMessage((message) => {
    isHandlingMessage = true;
    if (message.type === 'NAVIGATE_TO_RUG') actor.send({ type: 'rug.visited', index: message.rugIndex });
    if (message.type === 'NAVIGATE_TO_CART') actor.send({ type: 'rugs.continued' });
    isHandlingMessage = false;
  });
  left.addEventListener('abort', () => {
    isParentBarHidden = true;
    parent.post({ type: 'HIDE_NAVBAR_FOR_CHECKOUT' });
    parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
    changes.unsubscribe();
    notices.unsubscribe();
    stopChanges();
    stopMessages();
  });
}

function progressOf(snapshot: OrderFormSnapshot): Progress {
  return {
    activeRugIndex: snapshot.context.activeRugIndex,
    rugCount: snapshot.context.rugs.length,
    currentStep: stepOf(snapshot) === 'rugs' ? 0 : 1,
  };
}

/** Equal to the last one of its type: most keystrokes do not change the progress. */
function skipRepeated(post: (message: MessageToParent) => void) {
  const last = new Map<string, string>();
  return (message: MessageToParent) => {
    const text = JSON.stringify(message);
    if (last.get(message.type) === text) return;
    last.set(message.type, text);
    post(message);
  };
}
