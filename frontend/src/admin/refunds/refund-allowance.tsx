import { refundAllowance } from '@kilim/bff/contract/refund-limits';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { adminQuery } from '../api/admin-query.ts';
import { moneyKey } from '../orders/order-queries.ts';
import cards from '../ui/card.module.css';
import { refundTexts } from './texts.ts';

// Refunds change it, so it is loaded again with them.
const allowanceQuery = adminQuery([...moneyKey, 'refund-allowance'], {
  path: '/api/admin/refund-allowance',
  schema: refundAllowance,
});

/** The most that this person may refund now; undefined until it is known. */
export function useAllowed(): Cents | undefined {
  return useQuery(allowanceQuery).data?.allowed;
}

/** Says how much this person may refund now, when that is less than what is left of the order. */
export function RefundAllowance({ remaining }: { readonly remaining: Cents }) {
  const { data } = useQuery(allowanceQuery);
  if (data === undefined || data.allowed >= remaining) return null;
  const { allowed, limits } = data;
  return (
    <p className={cards.soft}>
      {allowed < limits.perRefund
        ? refundTexts.allowedToday(formatDollars(allowed))
        : refundTexts.allowedAtOnce(formatDollars(allowed))}
    </p>
  );
}
