import { type FocusEvent, type KeyboardEvent, useSyncExternalStore } from 'react';
import { sharedTexts } from '../texts.ts';
import { ToastCard } from './toast-card.tsx';
import styles from './toast-region.module.css';
import { dismissToast, shownToast, subscribeToToasts } from './toast-store.ts';
import { useRegionFocus } from './use-region-focus.ts';

/**
 * The region of the messages; F8 leads to it, Escape back. Both live regions are always there: a screen reader hears only what
 * changes inside one.
 */
export function ToastRegion() {
  const toast = useSyncExternalStore(subscribeToToasts, shownToast);
  const { region, focused, enter, leave, giveBack } = useRegionFocus(toast?.id);
  const leaveOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    dismissToast();
    giveBack();
  };
  const card = toast && <ToastCard key={toast.id} toast={toast} held={focused} />;
  return (
    <div className={styles.area}>
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
