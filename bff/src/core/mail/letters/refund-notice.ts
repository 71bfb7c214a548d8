import { formatDollars, negate, sumCents } from '@kilim/domain/money';
import { orderNumberOf } from '@kilim/domain/order/number';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import { reimbursementTexts } from '@kilim/domain/projection/timeline-texts';
import type { FoundOrder } from '../../queries/find-order.ts';
import { type AmountLine, type Letter, text } from '../letter.ts';
import { cardText } from './order-confirmation.ts';

export type RefundFacts = {
  readonly found: FoundOrder;
  readonly refundId: string;
  readonly businessName: string;
  readonly receiptUrl: string;
};

/** The reason stays between the shop and its books. */
export function refundNotice({ found, refundId, businessName, receiptUrl }: RefundFacts): Letter | undefined {
  const { placed, stream, capture } = found;
  const refunds = refundHistory(placed.orderId, stream.events).filter(({ status }) => status === 'completed');
  const refund = refunds.find((row) => row.refundId === refundId);
  if (refund === undefined) return undefined;
  const number = orderNumberOf(placed.orderId);
  const paid = capture?.amount ?? placed.total;
  const returned = sumCents(refunds.map(({ amount }) => amount));
  return {
    subject: `Your refund of ${formatDollars(refund.amount)} from ${businessName}`,
    heading: `You get ${formatDollars(refund.amount)} back`,
    parts: [
      text(`This is about your order ${number}. ${wayText(refund, found)}`),
      {
        kind: 'amounts',
        lines: [
          { term: 'You paid', amount: formatDollars(paid) },
          ...refunds.map(({ amount }): AmountLine => ({ term: 'Refunded', amount: formatDollars(negate(amount)) })),
          { term: 'Remains paid', amount: formatDollars(sumCents([paid, negate(returned)])), isTotal: true },
        ],
      },
      { kind: 'link', text: 'Open your receipt', url: receiptUrl },
    ],
  };
}

function wayText({ reimbursement }: RefundHistoryRow, { stream }: FoundOrder): string {
  if (reimbursement !== undefined) return `We gave it back ${reimbursementTexts[reimbursement.method]}.`;
  const hold = stream.events.map(({ event }) => event).find((event) => event.type === 'PaymentAuthorized');
  return `It goes to your ${cardText(hold)}. Banks usually take a few business days to show it.`;
}
