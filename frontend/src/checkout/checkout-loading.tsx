import { Spinner } from '../shared/ui/spinner.tsx';
import styles from './checkout.module.css';
import { checkoutTexts } from './texts.ts';

export function CheckoutLoading() {
  return (
    <p className={styles.loading} role="status">
      <Spinner />
      {checkoutTexts.loading}
    </p>
  );
}
