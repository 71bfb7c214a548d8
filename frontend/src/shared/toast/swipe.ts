import type { PointerEvent } from 'react';

/**
 * A toast that is swiped this far is dismissed. A shorter swipe springs back (specification,
 * section 9).
 */
const swipePixels = 50;

/**
 * Handlers for an element that follows the finger sideways. Its style sheet moves it by `--pulled`
 * and animates it back.
 */
export function swipeHandlers(onSwiped: () => void) {
  let startedAt: number | undefined;
  const letGo = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    startedAt = undefined;
    currentTarget.removeAttribute('data-pulled');
    currentTarget.style.removeProperty('--pulled');
  };
  return {
    onPointerDown: ({ button, clientX, currentTarget, pointerId, target }: PointerEvent<HTMLElement>) => {
      // Pointer capture would take the click away from a button inside the toast.
      if (button !== 0 || (target as Element).closest('button') !== null) return;
      startedAt = clientX;
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
      if (startedAt === undefined) return;
      currentTarget.setAttribute('data-pulled', '');
      currentTarget.style.setProperty('--pulled', `${clientX - startedAt}px`);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const far = startedAt !== undefined && Math.abs(event.clientX - startedAt) >= swipePixels;
      letGo(event);
      if (far) onSwiped();
    },
    onPointerCancel: letGo,
  };
}
