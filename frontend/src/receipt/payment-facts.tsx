import type { Cents } from '@kilim/domain/money';
import { Money } from '../shared/ui/money.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import styles from './receipt.module.css';
import { shortPaymentId } from './receipt-search.ts';
import { receiptTexts } from './texts.ts';

export type PaymentFactsProps = {
  readonly paymentId: string;
  /** The ledger's, or the address's until that is known. */
  readonly amount: Cents | undefined;
  /** ISO 8601 instant; today until it is known. */
  readonly paidAt?: string | undefined;
};

export function PaymentFacts({ paymentId, amount, paidAt }: PaymentFactsProps) {
  const date = paidAt === undefined ? new Date() : new Date(paidAt);
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{receiptTexts.paymentId}</dt>
        <dd title={paymentId}>{shortPaymentId(paymentId)}</dd>
      </div>
      <div>
        <dt>{receiptTexts.amount}</dt>
        <dd className={styles.amount}>
          {amount === undefined ? <Skeleton width="5rem" /> : <Money amount={amount} />}
        </dd>
      </div>
      <div>
        <dt>{receiptTexts.date}</dt>
        <dd>
          <time dateTime={date.toISOString()}>{dateFormat.format(date)}</time>
        </dd>
      </div>
    </dl>
  );
}

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
