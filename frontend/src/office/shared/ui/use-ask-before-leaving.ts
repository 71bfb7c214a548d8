import { useBlocker } from '@tanstack/react-router';

/** Also before a reload. */
export function useAskBeforeLeaving(isAsked: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: () => isAsked && !window.confirm(question),
    enableBeforeUnload: () => isAsked,
  });
}
