import { useEffect } from 'react';
import { sharedTexts } from '../texts.ts';
import { useOnline } from '../use-online.ts';
import { Button } from './button.tsx';
import styles from './load-failed.module.css';

/** For data or code that could not be loaded. */
export function LoadFailed() {
  return (
    <main className={styles.failed}>
      <h1>{sharedTexts.loadFailedTitle}</h1>
      <p role="alert">
        <WhyFailed />
      </p>
      {/* The checkout leads here after a payment. */}
      {window.location.pathname === '/payment-success' && <p>{sharedTexts.receiptFailed}</p>}
      <ReloadButton />
    </main>
  );
}

export function WhyFailed() {
  return useOnline() ? sharedTexts.loadFailedHint : sharedTexts.loadFailedOffline;
}

/**
 * Most browsers never load a module again that failed once. The draft and an unfinished payment survive a reload, so
 * the page also reloads when the connection is back.
 */
export function ReloadButton() {
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return <Button onClick={reload}>{sharedTexts.tryAgain}</Button>;
}

/** Offline, a reload would lose the page. */
function reload(): void {
  if (navigator.onLine) window.location.reload();
}
