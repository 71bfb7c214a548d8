import { memo, useEffect, useId, useRef, useState } from 'react';
import styles from './size-tooltip.module.css';
import { orderFormTexts } from './texts.ts';

/** Specification, section 9; immediate on focus and press. */
const hoverMilliseconds = 700;

/** Stays open while the pointer is on it or its button, or the button has the focus. Escape closes it. */
export const SizeTooltip = memo(function SizeTooltip() {
  const id = useId();
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), after);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!open) return;
    const hideOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', hideOnEscape);
    return () => document.removeEventListener('keydown', hideOnEscape);
  }, [open]);
  return (
    <span
      onPointerEnter={(event) => event.pointerType === 'mouse' && !open && show(hoverMilliseconds)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && hide()}
    >
      <button
        type="button"
        className={styles.button}
        aria-label={orderFormTexts.sizeHelp}
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={hide}
      >
        <span aria-hidden="true">?</span>
      </button>
      <span role="tooltip" id={id} className={styles.tooltip} hidden={!open}>
        {orderFormTexts.sizeTooltip}
      </span>
    </span>
  );
});
