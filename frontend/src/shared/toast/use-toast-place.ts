import { type RefObject, useEffect } from 'react';

/** What the customer is about to read or mend. */
const important = '[aria-invalid="true"], [tabindex="-1"]:focus, input:focus, select:focus, textarea:focus';

/**
 * Puts the toast at the other end of the window when it would cover an invalid or focused field, or
 * a focused summary of errors. It looks again whenever the focus moves.
 */
export function useToastPlace(area: RefObject<HTMLElement | null>, shownId: number | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast has another height.
  useEffect(() => {
    const place = () => {
      if (area.current !== null) placeToast(area.current);
    };
    place();
    document.addEventListener('focusin', place);
    return () => document.removeEventListener('focusin', place);
  }, [area, shownId]);
}

function placeToast(area: HTMLElement): void {
  const toast = area.querySelector('[data-variant]');
  delete area.dataset['turned'];
  if (toast === null || !coversSomething(toast)) return;
  area.dataset['turned'] = '';
  if (coversSomething(toast)) delete area.dataset['turned'];
}

function coversSomething(toast: Element): boolean {
  const covered = toast.getBoundingClientRect();
  return [...document.querySelectorAll(important)].some((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isBeside = bottom <= covered.top || top >= covered.bottom || right <= covered.left || left >= covered.right;
    return !isBeside && !toast.contains(element);
  });
}
