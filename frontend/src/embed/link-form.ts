import type { OrderFormActor, OrderFormSnapshot } from '../order-form/order-form-actor.ts';
import { stepOf } from '../order-form/selectors.ts';
import type { Frame } from './frame.ts';
import type { MessageToParent, Progress } from './messages.ts';

/** Whether the parent was asked to hide the bar, because the form had been left. */
let hidden = false;

/** Tells the parent of every move in the form, and moves as it asks, until the form is left. */
export function linkForm({ parent, isSticky, onChange, onMessage }: Frame, actor: OrderFormActor, left: AbortSignal) {
  let visiting = false;
  const postNews = onlyNews(parent.post);
  const tell = () => {
    const progress = progressOf(actor.getSnapshot());
    postNews({ type: 'ACTIVE_RUG_UPDATE', ...progress });
    postNews({ type: 'NAVBAR_UPDATE', ...progress, isSticky: isSticky() });
  };
  if (hidden) {
    parent.post({ type: 'SHOW_NAVBAR_AFTER_CHECKOUT' });
    parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  }
  hidden = false;
  tell();

  const changes = actor.subscribe(tell);
  const notices = actor.on('*', (notice) => {
    if (notice.type === 'stepEntered') parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
    // What the parent asked for itself it need not be told.
    const isVisit = notice.type === 'rugVisited' && !visiting;
    if (isVisit || notice.type === 'rugAdded') parent.post({ type: 'NAVIGATE_TO_RUG', rugIndex: notice.index });
  });
  const endStickiness = onChange(tell);
  const endMessages = onMessage((message) => {
    visiting = true;
    if (message.type === 'NAVIGATE_TO_RUG') actor.send({ type: 'rug.visited', index: message.rugIndex });
    if (message.type === 'NAVIGATE_TO_CART') actor.send({ type: 'rugs.continued' });
    visiting = false;
  });
  left.addEventListener('abort', () => {
    hidden = true;
    parent.post({ type: 'HIDE_NAVBAR_FOR_CHECKOUT' });
    parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
    changes.unsubscribe();
    notices.unsubscribe();
    endStickiness();
    endMessages();
  });
}

function progressOf(snapshot: OrderFormSnapshot): Progress {
  return {
    activeRugIndex: snapshot.context.activeRugIndex,
    rugCount: snapshot.context.rugs.length,
    currentStep: stepOf(snapshot) === 'rugs' ? 0 : 1,
  };
}

/** Every keystroke changes the form, but few change what the parent knows. */
function onlyNews(post: (message: MessageToParent) => void) {
  const last = new Map<string, string>();
  return (message: MessageToParent) => {
    const text = JSON.stringify(message);
    if (last.get(message.type) === text) return;
    last.set(message.type, text);
    post(message);
  };
}
