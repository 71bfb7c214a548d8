import { sharedTexts } from '../texts.ts';
import { useOnline } from '../use-online.ts';
import styles from './offline-banner.module.css';

export function OfflineBanner() {
  const online = useOnline();
  return <div role="status">{!online && <p className={styles.banner}>{sharedTexts.offline}</p>}</div>;
}
