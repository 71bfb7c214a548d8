import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './card.module.css';

/** Something is on its way; the words are read out. */
export function Busy({ text }: { readonly text: string }) {
  return (
    <div className={styles.busy} role="status">
      <Spinner />
      <p>{text}</p>
    </div>
  );
}
