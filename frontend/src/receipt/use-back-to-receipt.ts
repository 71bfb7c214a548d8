import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { receiptSearch } from './receipt-search.ts';

/** Behind the receipt are the steps of an order that is paid, so that Back stays here. */
export function useBackToReceipt(isPaid: boolean): void {
  const { history, state } = useRouter();
  const navigate = useNavigate();
  const [search] = useState(() => receiptSearch(state.location.search));
  useEffect(() => {
    if (!isPaid) return;
    return history.subscribe(({ action }) => {
      if (action.type === 'BACK') void navigate({ to: '/payment-success', search, replace: true });
    });
  }, [history, navigate, search, isPaid]);
}
