const isPanel = (element: Element | null) => element?.getAttribute('role') === 'tabpanel';

/** The element that had the focus is gone. */
export function isFocusFree(): boolean {
  return document.activeElement === document.body || isPanel(document.activeElement);
}

/** Cards, dialogs, and items that can take the focus. */
const places = ':is(section, dialog)[aria-labelledby], li[tabindex]';

/**
 * A control that is removed or disabled loses the focus, and the keyboard would start at the top. Then the heading of
 * its card or dialog gets the focus, or the item around it; when they are gone, those of the control before, and at
 * last the content of the page. A control that was disabled for a moment gets the focus back. Call this once, before
 * the first render.
 */
export function keepFocus(page: Document): void {
  let focused: HTMLElement | undefined;
  let visited: readonly HTMLElement[] = [];
  /** A disabled control, and what has the focus instead. */
  let lent: { readonly from: HTMLElement; readonly to: HTMLElement | null } | undefined;
  page.addEventListener('focusin', (event) => {
    const around = event.composedPath().filter((each) => each instanceof HTMLElement);
    focused = around[0];
    visited = [...new Set([...around.filter((each) => each.matches(places)), ...visited])];
  });
  // A press elsewhere leaves the control.
  page.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && focused?.contains(target) === false) focused = undefined;
  });
  const giveBack = () => {
    if (lent === undefined || lent.from.matches(':disabled')) return;
    if (lent.from.isConnected && page.activeElement === lent.to) focusOn(lent.from);
    lent = undefined;
  };
  const restore = () => {
    giveBack();
    if (focused === undefined || (focused.isConnected && !focused.matches(':disabled'))) return;
    // A disabled control is the active element until the next frame.
    const isLost = isFocusFree() || page.activeElement === focused;
    const from = focused;
    focused = undefined;
    visited = visited.filter(({ isConnected }) => isConnected);
    if (!isLost) return;
    const to = visited[0]?.querySelector('h2') ?? visited[0] ?? page.querySelector<HTMLElement>('[role="tabpanel"]');
    if (to !== null) to.tabIndex = -1;
    focusOn(to);
    lent = { from, to };
  };
  const changes = { subtree: true, childList: true, attributeFilter: ['disabled'] };
  new MutationObserver(restore).observe(page, changes);
}

/** What is pressed next stays where it is. */
function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
