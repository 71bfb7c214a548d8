/** As high as the bar, in its place, and above whatever else the form shows there. */
const stripStyle =
  'position:fixed;z-index:2147483647;inset:0 0 auto;height:var(--steps-height,66px);transform:translateY(calc(var(--visible-top) + var(--visible-height) - 100%));pointer-events:none';

/** Chromium's word for being painted over (IntersectionObserver 2); other browsers leave it out. */
type Painted = IntersectionObserverEntry & { readonly isVisible?: boolean };

/**
 * Tells whether something of the parent's lies over the place of our bar: a page that draws its own bar from our messages says
 * nothing until it is pressed, but what it draws can be noticed. Where the browser does not say, nothing is ever covered.
 */
export function watchCover(told: (covered: boolean) => void): () => void {
  const strip = document.createElement('div');
  strip.ariaHidden = 'true';
  strip.style.cssText = stripStyle;
  document.body.append(strip);
  const options = { threshold: [0, 0.5, 1], trackVisibility: true, delay: 100 };
  const observer = new IntersectionObserver((entries) => {
    const seen: Painted | undefined = entries.at(-1);
    told(seen?.isIntersecting === true && seen.isVisible === false);
  }, options);
  observer.observe(strip);
  return () => {
    observer.disconnect();
    strip.remove();
  };
}
