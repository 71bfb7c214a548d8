import type { AdminOrder } from '@kilim/bff/contract/orders';
import { type Cents, cents, formatDollars } from '@kilim/domain/money';
import cards from '../ui/card.module.css';
import { orderTexts } from './texts.ts';

/** The lines of the total, and its refunds. Lines of zero are left out. */
export function OrderAmounts({ order }: { readonly order: AdminOrder }) {
  const parts = [
    [orderTexts.subtotal, order.subtotal],
    [orderTexts.whiteGlove, order.delivery],
    [orderTexts.stainProtection, order.addOns.stainProtection],
    [orderTexts.greenPad, order.addOns.mothProtection],
    [order.salesTaxName, order.salesTax],
    [orderTexts.deliveryMinimum, order.deliveryMinimum],
  ] as const;
  const refunds = [
    [orderTexts.refunded, cents(-order.refunded)],
    [orderTexts.refundPending, cents(-order.refundPending)],
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

type LineProps = { readonly term: string; readonly amount: Cents; readonly isTotal?: boolean };

function Line({ term, amount, isTotal = false }: LineProps) {
  return (
    <div {...(isTotal ? { 'data-total': true } : {})}>
      <dt>{term}</dt>
      <dd>{formatDollars(amount)}</dd>
    </div>
  );
}
