import { createFileRoute } from '@tanstack/react-router';
import { ReceiptLoading } from '../receipt/receipt-loading.tsx';
import { ReceiptPage } from '../receipt/receipt-page.tsx';
import { receiptSearch } from '../receipt/receipt-search.ts';

export const Route = createFileRoute('/payment-success')({
  validateSearch: receiptSearch,
  component: ReceiptPage,
  pendingComponent: ReceiptLoading,
});
