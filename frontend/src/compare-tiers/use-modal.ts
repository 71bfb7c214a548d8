import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/**
 * A native `<dialog>` that opens modally when it is mounted. `close`, Escape and a press on the
 * backdrop close it, then `onClose` is called. The page behind it does not scroll.
 */
export function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);
  useEffect(() => {
    // Strict mode runs effects twice, so the dialog may be open already. The cleanup must not close
    // it, because closing calls `onClose`.
    if (dialog.current?.open === false) dialog.current.showModal();
    return lockScrolling();
  }, []);
  return {
    dialog,
    close: () => dialog.current?.close(),
    handlers: {
      onClose,
      // Selecting text with the pointer may end on the backdrop. Only a press that also began there
      // closes the dialog.
      onPointerDown: ({ target, currentTarget }: PointerEvent) => {
        pressedBackdrop.current = target === currentTarget;
      },
      onClick: ({ target, currentTarget }: MouseEvent) => {
        if (pressedBackdrop.current && target === currentTarget) dialog.current?.close();
      },
    },
  };
}

/**
 * Stops the page from scrolling, and from moving sideways when its scroll bar disappears.
 * @returns a function that unlocks it
 */
function lockScrolling(): () => void {
  const { style, clientWidth } = document.documentElement;
  // An iframe that the parent resizes never scrolls.
  const { overflow } = style;
  if (window.innerWidth > clientWidth) style.scrollbarGutter = 'stable';
  style.overflow = 'hidden';
  return () => {
    style.overflow = overflow;
    style.scrollbarGutter = '';
  };
}
