import { Spinner } from '../shared/ui/spinner.tsx';
import styles from './checkout-loading.module.css';

/** The router shows it before `texts.ts` is loaded. */
const loadingText = 'Loading Checkout';

export function CheckoutLoading() {
  return (
    <p className={styles.loading} role="status">
      <Spinner />
      {loadingText}
    </p>
  );
}
