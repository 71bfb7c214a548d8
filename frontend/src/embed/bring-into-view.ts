import { isFramed } from '../shared/framed.ts';
import { whenFramed } from './in-frame.ts';

let awaited: Element | undefined;

/**
 * To the top of the window. In an iframe that the parent resizes, it waits for the new height: before that, the parent
 * cannot scroll to new content.
 */
export function bringIntoView(element: Element): void {
  const stopWaiting = () => {
    if (awaited === element) awaited = undefined;
  };
  const scroll = () => {
    stopWaiting();
    element.scrollIntoView({ block: 'start' });
  };
  if (!isFramed()) {
    scroll();
    return;
  }
  awaited = element;
  whenFramed(({ scrollWithFrame }) => scrollWithFrame(scroll, stopWaiting), scroll);
}

/** For the form's step with this heading. In an iframe, `SCROLL_TO_IFRAME_TOP` asks the parent for the same. */
export function showStep(heading: Element): void {
  if (isFramed()) whenFramed(({ showBeginning }) => showBeginning(heading));
  else bringIntoView(heading);
}

/** Until `bringIntoView` scrolls, the visible part is not the final one. */
export function isScrollPending(): boolean {
  return awaited !== undefined;
}
