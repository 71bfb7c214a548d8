import { hasContentHeight } from './frame-height.ts';

/** The iframe's height may follow its content for this long. */
const settlingMilliseconds = 1000;

let stopLast = () => {};

/**
 * Now, or when the iframe has its new height if `waits` is true. Scrolls again when the height changes within a second,
 * unless the customer scrolls or presses.
 * @param onEnd runs when this function will scroll no more.
 */
export function scrollWhenSettled(scroll: () => void, waits: boolean, onEnd = () => {}): void {
  stopLast();
  const settled = new AbortController();
  const { signal } = settled;
  let hasScrolled = false;
  const scrollIfFitting = () => {
    if (waits && !hasContentHeight()) return;
    hasScrolled = true;
    scroll();
  };
  const end = () => settled.abort();
  const timer = setTimeout(() => {
    // The parent did not follow the height.
    if (!hasScrolled) scroll();
    end();
  }, settlingMilliseconds);
  stopLast = end;
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    onEnd();
  });
  window.addEventListener('resize', scrollIfFitting, { signal });
  for (const type of ['wheel', 'pointerdown']) window.addEventListener(type, end, { signal, passive: true });
  scrollIfFitting();
}
