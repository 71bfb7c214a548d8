import { useEffect, useState, useSyncExternalStore } from 'react';
import { sharedTexts } from '../texts.ts';
import { CrossIcon } from '../ui/icons.tsx';
import { dismissToast, shownToast, subscribeToToasts, type Toast } from './toast-store.ts';
import styles from './toaster.module.css';

const shownMilliseconds = 5000;

/** The place where messages appear. Both live regions are always there: a screen reader hears only what changes inside one. */
export function Toaster() {
  const toast = useSyncExternalStore(subscribeToToasts, shownToast);
  return (
    <section className={styles.area} aria-label={sharedTexts.notifications}>
      <div role="status">{toast?.variant === 'default' && <ToastCard key={toast.id} toast={toast} />}</div>
      <div role="alert">{toast?.variant === 'destructive' && <ToastCard key={toast.id} toast={toast} />}</div>
    </section>
  );
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(toast.id), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [held, toast.id]);

  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is pressed here; the message only stays while it is looked at.
    <div
      className={styles.toast}
      data-variant={toast.variant}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <div className={styles.words}>
        <p className={styles.title}>{toast.title}</p>
        {toast.description !== undefined && <p>{toast.description}</p>}
        {toast.action}
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label={sharedTexts.dismiss}
        onClick={() => dismissToast(toast.id)}
      >
        <CrossIcon />
      </button>
    </div>
  );
}
