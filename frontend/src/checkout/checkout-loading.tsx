import { Spinner } from '../shared/ui/spinner.tsx';
import styles from './checkout-loading.module.css';

/** Not among the other texts: the router shows this before the rest of the page is fetched. */
const loadingText = 'Loading Checkout';

export function CheckoutLoading() {
  return (
    <p className={styles.loading} role="status">
      <Spinner />
      {loadingText}
    </p>
  );
}
