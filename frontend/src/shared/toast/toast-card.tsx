import { type PointerEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { sharedTexts } from '../texts.ts';
import { CrossIcon } from '../ui/icons.tsx';
import { countdown } from './countdown.ts';
import styles from './toast-region.module.css';
import { dismissToast, type Toast, type ToastAction } from './toast-store.ts';

const shownMilliseconds = 5000;

type ToastCardProps = {
  readonly toast: Toast;
  /** Pauses the countdown. */
  readonly isRegionFocused: boolean;
};

export function ToastCard({ toast, isRegionFocused }: ToastCardProps) {
  const dismiss = () => dismissToast(toast.id);
  const [run] = useState(() => countdown(shownMilliseconds, dismiss));
  const [swipe] = useState(() => swipeHandlers(dismiss));
  const [hovered, setHovered] = useState(false);
  const hidden = useSyncExternalStore(subscribeToVisibility, () => document.hidden);
  const paused = isRegionFocused || hovered || hidden;
  useEffect(() => (paused ? undefined : run()), [paused, run]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the countdown and follow a swipe.
    <div
      {...swipe}
      className={styles.toast}
      data-variant={toast.variant}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      // Losing the form's focus would close the phone's keyboard.
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={styles.words}>
        <p className={styles.title}>{toast.title}</p>
        {toast.description !== undefined && <p>{toast.description}</p>}
        {toast.action !== undefined && <ActionButton action={toast.action} onDone={dismiss} />}
      </div>
      <button type="button" className={styles.close} aria-label={sharedTexts.dismiss} onClick={dismiss}>
        <CrossIcon />
      </button>
    </div>
  );
}

function ActionButton({ action, onDone }: { readonly action: ToastAction; readonly onDone: () => void }) {
  const act = () => {
    onDone();
    action.onPress();
  };
  return (
    <button type="button" className={styles.action} onClick={act}>
      {action.label}
    </button>
  );
}

function subscribeToVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** A shorter swipe springs back (specification, section 9). */
const swipePixels = 50;

/** Follows the finger sideways: the style sheet moves it by `--pulled` and animates it back. */
function swipeHandlers(onSwiped: () => void) {
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
