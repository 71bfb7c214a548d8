import { Spinner } from '../shared/ui/spinner.tsx';
import styles from './checkout-loading.module.css';

/** Not in `texts.ts`, because the router shows it before that module is loaded. */
const loadingText = 'Loading Checkout';

export function CheckoutLoading() {
  return (
    <p className={styles.loading} role="status">
      <Spinner />
      {loadingText}
    </p>
  );
}
