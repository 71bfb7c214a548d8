import { useBlocker } from '@tanstack/react-router';

/** Asks before another page, or a reload, throws something away. */
export function useAskBeforeLeaving(isAsked: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: () => isAsked && !window.confirm(question),
    enableBeforeUnload: () => isAsked,
  });
}
