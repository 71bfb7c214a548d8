import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

const isPanel = (element: Element | null) => element?.getAttribute('role') === 'tabpanel';

/** The element that had the focus is gone. */
export function isFocusFree(): boolean {
  return document.activeElement === document.body || isPanel(document.activeElement);
}

/**
 * A link that opens a page disappears with its own page. Then the content gets the focus, so that the keyboard does not
 * start at the top.
 * @returns for the content, a tab panel.
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
