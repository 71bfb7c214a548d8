import { Outlet } from '@tanstack/react-router';
import { sharedTexts } from '../texts.ts';
import { Toaster } from '../toast/toaster.tsx';
import { useOnline } from '../use-online.ts';
import styles from './every-page.module.css';

export function EveryPage() {
  return (
    <>
      <OfflineBanner />
      <Outlet />
      <Toaster />
    </>
  );
}

function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status" className={styles.connection}>
      {!online && <p className={styles.banner}>{sharedTexts.offline}</p>}
    </div>
  );
}
