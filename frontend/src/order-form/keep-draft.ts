/** Loses little input, and does not slow down typing. */
const throttleMilliseconds = 300;
/** Even if the browser is never idle. */
const latestMilliseconds = 1000;

type Observable = { readonly subscribe: (changed: () => void) => { readonly unsubscribe: () => void } };

/**
 * At most every 300 ms, when the browser is idle, and immediately when the customer leaves.
 * @returns a function that saves a pending change and stops.
 */
export function keepDraft(form: Observable, save: () => void, page: EventTarget): () => void {
  let hasUnsavedChange = false;
  const flush = () => {
    if (!hasUnsavedChange) return;
    hasUnsavedChange = false;
    save();
  };
  const subscription = form.subscribe(() => {
    if (hasUnsavedChange) return;
    hasUnsavedChange = true;
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

/** Not between a key press and its paint. Safari has no `requestIdleCallback`, so `act` runs immediately there. */
function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: latestMilliseconds });
  else act();
}
