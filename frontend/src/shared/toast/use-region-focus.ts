import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Lets F8 move the focus into the region (specification, section 9), and gives it back when the message that held it goes. */
export function useRegionFocus(shownId: number | undefined) {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element>(null);
  const [focused, setFocused] = useState(false);
  const giveBack = () => {
    setFocused(false);
    const back = cameFrom.current;
    cameFrom.current = null;
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
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

  // A button that is removed while it has the focus tells nobody: no event says that the region has lost it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the message that takes the focus away.
  useLayoutEffect(() => {
    if (focused && document.activeElement === document.body) giveBack();
  }, [shownId]);

  return {
    region,
    focused,
    giveBack,
    enter: (from: EventTarget | null) => {
      setFocused(true);
      if (from instanceof Element && !region.current?.contains(from)) cameFrom.current = from;
    },
    leave: (to: EventTarget | null) => {
      if (to instanceof Element && region.current?.contains(to)) return;
      setFocused(false);
      // Whoever has moved on shall not be called back.
      if (to !== null) cameFrom.current = null;
    },
  };
}
