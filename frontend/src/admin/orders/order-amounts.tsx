import type { AdminOrder } from '../api/wire.ts';
import cards from '../ui/card.module.css';
import { dollarsText } from '../ui/format.ts';
import { orderTexts } from './texts.ts';

/** Everything that adds up to the total, and what became of it. Lines of nothing are left out. */
export function OrderAmounts({ order }: { readonly order: AdminOrder }) {
  const parts = [
    [orderTexts.subtotal, order.subtotal],
    [orderTexts.whiteGlove, order.delivery],
    [orderTexts.stainProtection, order.addOns.stainProtection],
    [orderTexts.greenPad, order.addOns.mothProtection],
    [orderTexts.salesTax, order.salesTax],
    [orderTexts.deliveryMinimum, order.deliveryMinimum],
  ] as const;
  const refunds = [
    [orderTexts.refunded, -order.refunded],
    [orderTexts.refundPending, -order.refundPending],
  ] as const;
  return (
    <dl className={cards.lines}>
      {parts.map(([term, amount]) => amount !== 0 && <Line key={term} term={term} amount={amount} />)}
      <Line term={orderTexts.total} amount={order.totalCost} isTotal />
      {refunds.map(([term, amount]) => amount !== 0 && <Line key={term} term={term} amount={amount} />)}
      {order.payment !== null && <Line term={orderTexts.remaining} amount={order.remainingRefundable} />}
    </dl>
  );
}

type LineProps = { readonly term: string; readonly amount: number; readonly isTotal?: boolean };

function Line({ term, amount, isTotal = false }: LineProps) {
  return (
    <div {...(isTotal ? { 'data-total': true } : {})}>
      <dt>{term}</dt>
      <dd>{dollarsText(amount)}</dd>
    </div>
  );
}
