/** Smaller changes are rounding, and answering them could go on for ever. */
const leastPixels = 2;

/**
 * Tells how high the page is, whenever that changes. Nothing in the page depends on the frame's own height (no `vh` units), so
 * that following it comes to rest.
 */
export function reportHeight(told: (height: number) => void): void {
  let last = 0;
  const measure = () => {
    // Before there is content, the frame keeps the height that was reserved for it.
    if (document.getElementById('content') === null) return;
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (Math.abs(height - last) < leastPixels) return;
    last = height;
    told(height);
  };
  new ResizeObserver(measure).observe(document.documentElement);
  // A frame that is out of sight is not drawn, and what is not drawn is not observed: it would change its height when it comes into view.
  new MutationObserver(measure).observe(document.body, { childList: true, subtree: true });
  measure();
}
