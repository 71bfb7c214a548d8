import { canSeeCover, watchCover } from './covered-strip.ts';
import { reportHeight } from './frame-height.ts';
import type { MessageFromParent } from './messages.ts';
import { isSticky, type NavbarOwner, navbarPlace, parentNavbarFrameName } from './navbar.ts';
import type { ParentPage } from './parent-page.ts';
import { scrollWhenSettled } from './scroll-when-settled.ts';
import { isInVisibleRectangle, keepClearOfBar, onVisibleRectangle, setVisibleRectangle } from './visible-rectangle.ts';
import { watchStrips } from './visible-strips.ts';

/** Then the form shows its own bar. */
const waitMilliseconds = 400;

/** It outlives the form and the checkout. */
export type Frame = ReturnType<typeof openFrame>;

/**
 * Reports the height, tracks the visible part, and decides who shows the bar, as long as the iframe lasts. The parent
 * shows it if the iframe's name says so, or after its first message, because only pages with a bar send messages.
 * Otherwise the form shows it, unless an element of the parent covers its place.
 */
export function openFrame(parent: ParentPage) {
  const changeListeners = new Set<() => void>();
  const messageListeners = new Set<(message: MessageFromParent) => void>();
  let owner: NavbarOwner = window.name === parentNavbarFrameName ? 'parent' : 'waiting';
  let sticky = false;
  let covered = false;
  let isResized = false;

  const show = () => {
    document.documentElement.dataset['navbar'] = navbarPlace(owner, { sticky, covered });
    // A parent that sends `VIEWPORT` reports what its bar leaves visible.
    keepClearOfBar(!isResized && (owner === 'parent' || covered || !canSeeCover));
    for (const listener of changeListeners) listener();
  };
  const settle = (settled: NavbarOwner) => {
    if (owner === settled || owner === 'parent') return;
    owner = settled;
    show();
    if (owner === 'parent') stopWatchingCover();
  };
  onVisibleRectangle((visible) => {
    if (sticky === isSticky(visible)) return;
    sticky = !sticky;
    show();
  });

  const stopWatchingCover = watchCover((isCovered) => {
    if (covered === isCovered) return;
    covered = isCovered;
    show();
  });
  const stopWatchingStrips = watchStrips(setVisibleRectangle);
  parent.listen((message) => {
    settle('parent');
    if (message.type === 'VIEWPORT') {
      stopWatchingStrips();
      // The parent sets our height, so the iframe itself must not scroll.
      if (!isResized) {
        isResized = true;
        show();
      }
      document.documentElement.style.overflow = 'hidden';
      setVisibleRectangle(message);
    }
    for (const listener of messageListeners) listener(message);
  });
  show();
  setTimeout(() => settle('form'), waitMilliseconds);
  reportHeight((height) => parent.post({ type: 'IFRAME_HEIGHT', height }));

  return {
    parent,
    /** Enough of the form is visible for the bar to stick to the viewport. */
    isSticky: () => sticky,
    /** See `scrollWhenSettled`. */
    scroll: (scroll: () => void, onEnd: () => void) => scrollWhenSettled(scroll, isResized, onEnd),
    /**
     * If its heading is outside the visible part. A parent that resizes the iframe scrolls itself, on
     * `SCROLL_TO_IFRAME_TOP`.
     */
    showBeginning: (heading: Element) => {
      if (isResized || isInVisibleRectangle(heading)) return;
      scrollWhenSettled(() => document.documentElement.scrollIntoView({ block: 'start' }), false);
    },
    onChange: addTo(changeListeners),
    onMessage: addTo(messageListeners),
  };
}

function addTo<Listener>(listeners: Set<Listener>) {
  return (listener: Listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}
