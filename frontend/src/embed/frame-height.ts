/** Smaller changes are rounding differences, and could cause an endless loop with the parent. */
const minChangePixels = 2;

/** In pixels. */
function contentHeight(): number {
  return Math.ceil(document.documentElement.getBoundingClientRect().height);
}

/** Then the iframe has nothing to scroll. */
export function hasContentHeight(): boolean {
  return Math.abs(window.innerHeight - contentHeight()) < minChangePixels;
}

/** Nothing in the page may depend on the iframe's height (no `vh` units), or the reports would never end. */
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
  // ResizeObserver does not fire outside the viewport, where the browser does not render an iframe. Without this
  // observer the height would change when the customer scrolls to it.
  new MutationObserver(measure).observe(document.body, { childList: true, subtree: true });
  measure();
}
