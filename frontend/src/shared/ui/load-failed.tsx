import { useRouter } from '@tanstack/react-router';
import { sharedTexts } from '../texts.ts';
import { useOnline } from '../use-online.ts';
import { Button } from './button.tsx';
import styles from './load-failed.module.css';

/** For data or code that could not be loaded. */
export function LoadFailed() {
  const router = useRouter();
  const online = useOnline();
  // Most browsers never load a module again that failed once. Offline, a reload would lose this page.
  const tryAgain = () => (online ? window.location.reload() : void router.invalidate());
  return (
    <main className={styles.failed}>
      <h1>{sharedTexts.loadFailedTitle}</h1>
      <p role="alert">{online ? sharedTexts.loadFailedHint : sharedTexts.loadFailedOffline}</p>
      <Button onClick={tryAgain}>{sharedTexts.tryAgain}</Button>
    </main>
  );
}
