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
 * last the content of the page. Call this once, before the first render.
 */
export function keepFocus(page: Document): void {
  let focused: HTMLElement | undefined;
  let visited: readonly HTMLElement[] = [];
  page.addEventListener('focusin', (event) => {
    const around = event.composedPath().filter((each) => each instanceof HTMLElement);
    focused = around[0];
    visited = [...new Set([...around.filter((each) => each.matches(places)), ...visited])];
  });
  // A press elsewhere leaves the control.
  page.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && focused?.contains(target) === false) focused = undefined;
  });
  const restore = () => {
    if (focused === undefined || (focused.isConnected && !focused.matches(':disabled'))) return;
    // A disabled control is the active element until the next frame.
    const isLost = isFocusFree() || page.activeElement === focused;
    focused = undefined;
    visited = visited.filter(({ isConnected }) => isConnected);
    if (isLost)
      take(visited[0]?.querySelector('h2') ?? visited[0] ?? page.querySelector<HTMLElement>('[role="tabpanel"]'));
  };
  const changes = { subtree: true, childList: true, attributeFilter: ['disabled'] };
  new MutationObserver(restore).observe(page, changes);
}

function take(place: HTMLElement | null): void {
  if (place === null) return;
  place.tabIndex = -1;
  // What is pressed next stays where it is.
  place.focus({ preventScroll: true });
}
