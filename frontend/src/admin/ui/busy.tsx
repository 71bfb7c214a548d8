import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './card.module.css';

/** A loading message that screen readers announce. */
export function Busy({ text }: { readonly text: string }) {
  return (
    <div className={styles.busy} role="status">
      <Spinner />
      <p>{text}</p>
    </div>
  );
}
