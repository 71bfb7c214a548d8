import type { ReceiptRefund } from '@kilim/bff/contract/receipt';
import { Money } from '../shared/ui/money.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { SummaryList } from '../shared/ui/summary-list.tsx';
import { Day } from './payment-facts.tsx';
import styles from './receipt.module.css';
import type { Receipt } from './receipt.ts';
import { receiptTexts } from './texts.ts';

export function RefundsPanel({ receipt }: { readonly receipt: Receipt }) {
  const { refunds, remainsPaid, total } = receipt;
  return (
    <Panel title={receiptTexts.refundsTitle} headingId="receipt-refunds">
      <ol className={styles.refunds}>
        {refunds.map((refund, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: refunds have no public id, and their order never changes.
          <RefundItem key={index} refund={refund} />
        ))}
      </ol>
      <div className={styles.remains}>
        <SummaryList
          lines={[{ term: receiptTexts.paid, amount: total }]}
          total={{ term: receiptTexts.remainsPaid, amount: remainsPaid }}
        />
      </div>
      {refunds.some(({ status }) => status !== 'failed') && (
        <p className={styles.refundsHint}>{receiptTexts.refundsHint}</p>
      )}
    </Panel>
  );
}

function RefundItem({ refund }: { readonly refund: ReceiptRefund }) {
  const { amount, status, refundType, createdAt } = refund;
  return (
    <li className={styles.refund} data-status={status}>
      <span className={styles.refundType}>
        {receiptTexts.refundTypes[refundType]}
        <span className={styles.status} data-hue={status}>
          {receiptTexts.refundStatuses[status]}
        </span>
      </span>
      <span className={styles.refundAmount}>
        −<Money amount={amount} />
      </span>
      <span className={styles.refundNote}>
        <Day instant={createdAt} />
      </span>
      {status === 'failed' && <span className={styles.refundNote}>{receiptTexts.refundFailed}</span>}
    </li>
  );
}
