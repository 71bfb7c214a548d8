import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * Lets F8 move the focus into the region (specification, section 9). Restores the focus when the
 * focused toast disappears.
 */
export function useRegionFocus(shownId: number | undefined) {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<Element>(null);
  const [focused, setFocused] = useState(false);
  const restoreFocus = () => {
    setFocused(false);
    const previous = previousFocus.current;
    previousFocus.current = null;
    if (previous instanceof HTMLElement) previous.focus({ preventScroll: true });
    else region.current?.blur();
  };

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return;
      event.preventDefault();
      region.current?.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', focusRegion);
    return () => document.removeEventListener('keydown', focusRegion);
  }, []);

  // Removing a focused button fires no blur event, so the region checks the focus itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the shown toast changes.
  useLayoutEffect(() => {
    if (focused && document.activeElement === document.body) restoreFocus();
  }, [shownId]);

  return {
    region,
    focused,
    restoreFocus,
    enter: (from: EventTarget | null) => {
      setFocused(true);
      if (from instanceof Element && !region.current?.contains(from)) previousFocus.current = from;
    },
    leave: (to: EventTarget | null) => {
      if (to instanceof Element && region.current?.contains(to)) return;
      setFocused(false);
      // The user moved the focus elsewhere, so it must not be restored later.
      if (to !== null) previousFocus.current = null;
    },
  };
}
