/**
 * Smaller changes are rounding differences. Reporting them could cause an endless loop with the
 * parent.
 */
const minChangePixels = 2;

/** In pixels. */
function contentHeight(): number {
  return Math.ceil(document.documentElement.getBoundingClientRect().height);
}

/** Whether the iframe is as high as its content, so that it has nothing to scroll. */
export function hasContentHeight(): boolean {
  return Math.abs(window.innerHeight - contentHeight()) < minChangePixels;
}

/**
 * Reports the page's height whenever it changes. Nothing in the page may depend on the iframe's
 * height (no `vh` units), or the reports would never end.
 */
export function reportHeight(onChange: (height: number) => void): void {
  let last = 0;
  const measure = () => {
    // Without content, the iframe keeps its reserved height.
    if (document.getElementById('content') === null) return;
    const height = contentHeight();
    if (Math.abs(height - last) < minChangePixels) return;
    last = height;
    onChange(height);
  };
  new ResizeObserver(measure).observe(document.documentElement);
  // The browser does not render an iframe outside the viewport, so ResizeObserver does not fire
  // there. Without this observer the iframe would change its height when the customer scrolls to
  // it.
  new MutationObserver(measure).observe(document.body, { childList: true, subtree: true });
  measure();
}
