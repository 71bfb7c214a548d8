import { Spinner } from '../../../shared/ui/spinner.tsx';
import styles from './card.module.css';

/** Screen readers announce it. */
export function Busy({ text }: { readonly text: string }) {
  return (
    <div className={styles.busy} role="status">
      <Spinner />
      <p>{text}</p>
    </div>
  );
}
