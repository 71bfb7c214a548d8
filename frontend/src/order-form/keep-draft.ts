/** Often enough that nothing is lost, seldom enough that typing stays light. */
const throttleMilliseconds = 300;

type Changing = { readonly subscribe: (changed: () => void) => { readonly unsubscribe: () => void } };

/** Saves after every change, at most every 300 ms, and at once when the page is left. @returns what ends it, saving what is due */
export function keepDraft(form: Changing, save: () => void, page: EventTarget): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    save();
  };
  const subscription = form.subscribe(() => {
    timer ??= setTimeout(flush, throttleMilliseconds);
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
