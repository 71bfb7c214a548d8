import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Queries } from '../shared/queries.tsx';
import { showToast } from '../shared/toast/toast-store.ts';
import { Page } from '../shared/ui/page.tsx';
import { usePageTitle } from '../shared/use-page-title.ts';
import { FailureView } from './failure-view.tsx';
import styles from './receipt.module.css';
import { addressAmount } from './receipt-search.ts';
import { ReceiptView } from './receipt-view.tsx';
import { receiptTexts } from './texts.ts';

const route = getRouteApi('/payment-success');

export function ReceiptPage() {
  const search = route.useSearch();
  return (
    <Page>
      <div className={styles.screen}>
        {search.payment_id === undefined ? (
          <MissingPayment />
        ) : (
          <Queries>
            <ReceiptView key={search.payment_id} paymentId={search.payment_id} amount={addressAmount(search)} />
          </Queries>
        )}
      </div>
    </Page>
  );
}

const redirectMilliseconds = 3000;

/** Redirects to the home page (specification, section 2.4). */
function MissingPayment() {
  const navigate = useNavigate();
  usePageTitle(receiptTexts.failedHeading);
  useEffect(() => {
    showToast({ ...receiptTexts.noPaymentToast, variant: 'destructive' });
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), redirectMilliseconds);
    return () => clearTimeout(timer);
  }, [navigate]);
  return <FailureView heading={receiptTexts.failedHeading} text={receiptTexts.missing} action="pay" />;
}
