import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

const isPanel = (element: Element | null) => element?.getAttribute('role') === 'tabpanel';

/** Whether the focus is nowhere in particular: what had it is gone. A page may then choose where it goes. */
export function isFocusFree(): boolean {
  return document.activeElement === document.body || isPanel(document.activeElement);
}

/**
 * A link that opens a page goes away with the page before, and so does the focus. Then the keyboard goes on at the content
 * and not at the top of the document.
 * @returns for the content, a tab panel
 */
export function useFocusAfterMoving(): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        const isMove = fromLocation !== undefined && pathChanged;
        if (isMove && document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return panel;
}
