/** At the bar's place, above the form's other content. */
const stripStyle =
  'position:fixed;z-index:2147483647;inset:0 0 auto;height:var(--steps-height,66px);transform:translateY(calc(var(--visible-top) + var(--visible-height) - 100%));pointer-events:none';

/** IntersectionObserver v2, which only Chromium has: false for a covered element. */
type EntryWithVisibility = IntersectionObserverEntry & { readonly isVisible?: boolean };

/** Other browsers never report it. */
export const canSeeCover =
  typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype;

/**
 * A parent that renders its own bar sends no message until a press, but its bar covers ours. Without
 * IntersectionObserver v2, `covered` is always false.
 * @returns a function that stops watching.
 */
export function watchCover(onChange: (covered: boolean) => void): () => void {
  const strip = document.createElement('div');
  strip.ariaHidden = 'true';
  strip.style.cssText = stripStyle;
  document.body.append(strip);
  const options = { threshold: [0, 0.5, 1], trackVisibility: true, delay: 100 };
  const observer = new IntersectionObserver((entries) => {
    // An open dialog covers the strip, too.
    if (document.querySelector(':modal') !== null) return;
    const entry: EntryWithVisibility | undefined = entries.at(-1);
    onChange(entry?.isIntersecting === true && entry.isVisible === false);
  }, options);
  observer.observe(strip);
  return () => {
    observer.disconnect();
    strip.remove();
  };
}
