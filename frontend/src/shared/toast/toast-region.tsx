import { type FocusEvent, type KeyboardEvent, useRef, useSyncExternalStore } from 'react';
import { sharedTexts } from '../texts.ts';
import { ToastCard } from './toast-card.tsx';
import styles from './toast-region.module.css';
import { dismissToast, shownToast, subscribeToToasts } from './toast-store.ts';
import { useRegionFocus } from './use-region-focus.ts';
import { useToastPlace } from './use-toast-place.ts';

/**
 * The region of the toasts. F8 moves the focus into it, Escape moves it back. Both live regions
 * stay mounted, because a screen reader announces only changes inside an existing live region.
 */
export function ToastRegion() {
  const toast = useSyncExternalStore(subscribeToToasts, shownToast);
  const area = useRef<HTMLDivElement>(null);
  useToastPlace(area, toast?.id);
  const { region, focused, enter, leave, restoreFocus } = useRegionFocus(toast?.id);
  const leaveOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    dismissToast();
    restoreFocus();
  };
  const card = toast && <ToastCard key={toast.id} toast={toast} isRegionFocused={focused} />;
  return (
    <div ref={area} className={styles.area}>
      <section
        ref={region}
        tabIndex={-1}
        className={styles.region}
        aria-label={sharedTexts.notifications}
        aria-keyshortcuts="F8"
        onFocus={(event: FocusEvent) => enter(event.relatedTarget)}
        onBlur={(event: FocusEvent) => leave(event.relatedTarget)}
        onKeyDown={leaveOnEscape}
      >
        <div role="status">{toast?.variant === 'default' && card}</div>
        <div role="alert">{toast?.variant === 'destructive' && card}</div>
      </section>
    </div>
  );
}
