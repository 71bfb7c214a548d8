import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/**
 * A native dialog that is modal from its first moment. It closes by `close`, Escape and a press
 * beside it; `onClose` is told afterwards. The page behind stays where it is.
 */
export function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  useEffect(() => {
    // Drawn twice in development, it may be open already. Nothing is closed here: that would tell
    // `onClose`.
    if (dialog.current?.open === false) dialog.current.showModal();
    return holdPage();
  }, []);
  return {
    dialog,
    close: () => dialog.current?.close(),
    handlers: {
      onClose,
      // A text that is marked with the pointer may end beside the dialog; only a press that also
      // began there is meant.
      onPointerDown: ({ target, currentTarget }: PointerEvent) => {
        pressedBeside.current = target === currentTarget;
      },
      onClick: ({ target, currentTarget }: MouseEvent) => {
        if (pressedBeside.current && target === currentTarget) dialog.current?.close();
      },
    },
  };
}

/**
 * Keeps the page from scrolling, and from jumping sideways when its scroll bar goes. @returns what
 * lets it go again
 */
function holdPage(): () => void {
  const { style, clientWidth } = document.documentElement;
  if (window.innerWidth > clientWidth) style.scrollbarGutter = 'stable';
  style.overflow = 'hidden';
  return () => {
    style.overflow = '';
    style.scrollbarGutter = '';
  };
}
