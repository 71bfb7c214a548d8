/** Often enough that nothing is lost, seldom enough that typing stays light. */
const throttleMilliseconds = 300;
/** A page that is never idle is saved all the same. */
const latestMilliseconds = 1000;

type Changing = { readonly subscribe: (changed: () => void) => { readonly unsubscribe: () => void } };

/**
 * Saves after every change, at most every 300 ms and when nothing else is to be done, and at once
 * when the page is left.
 * @returns what ends it, saving what is due
 */
export function keepDraft(form: Changing, save: () => void, page: EventTarget): () => void {
  let due = false;
  const flush = () => {
    if (!due) return;
    due = false;
    save();
  };
  const subscription = form.subscribe(() => {
    if (due) return;
    due = true;
    setTimeout(() => whenIdle(flush), throttleMilliseconds);
  });
  // A phone may never fire `pagehide` for a page that it discards in the background.
  page.addEventListener('pagehide', flush);
  page.addEventListener('visibilitychange', flush);
  return () => {
    flush();
    subscription.unsubscribe();
    page.removeEventListener('pagehide', flush);
    page.removeEventListener('visibilitychange', flush);
  };
}

/** Not between a key and its picture. Safari has no word for idle: there it is at once. */
function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: latestMilliseconds });
  else act();
}
