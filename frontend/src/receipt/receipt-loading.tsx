import { Skeleton } from '../shared/ui/skeleton.tsx';
import styles from './receipt.module.css';
import { receiptTexts } from './texts.ts';

export function ReceiptLoading() {
  return (
    <div className={styles.loading} role="status">
      <p>{receiptTexts.loadingHeading}…</p>
      <Skeleton height="3rem" />
      <Skeleton height="10rem" />
    </div>
  );
}
