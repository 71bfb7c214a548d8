import type { Cents } from '@kilim/domain/money';
import type { ReactNode } from 'react';
import { orderNumberText } from '../shared/order-number.ts';
import { usePageData } from '../shared/page-data.ts';
import { Money } from '../shared/ui/money.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import styles from './receipt.module.css';
import type { Receipt } from './receipt.ts';
import { shortPaymentId } from './receipt-search.ts';
import { receiptTexts } from './texts.ts';

export type PaymentFactsProps = {
  readonly paymentId: string;
  /** From the ledger, or from the URL until the receipt is loaded. */
  readonly amount: Cents | undefined;
  /** Until it is loaded, the page shows the URL's data and today's date. */
  readonly receipt?: Receipt | undefined;
};

export function PaymentFacts({ paymentId, amount, receipt }: PaymentFactsProps) {
  return (
    <dl className={styles.facts}>
      <Fact term={receiptTexts.paymentId}>
        <span className={styles.short}>{shortPaymentId(paymentId)}</span>
        <span className={styles.whole}>{paymentId}</span>
      </Fact>
      <Fact term={receiptTexts.amount} className={styles.amount}>
        {amount === undefined ? <Skeleton width="5rem" /> : <Money amount={amount} />}
      </Fact>
      {receipt?.card !== undefined && <Fact term={receiptTexts.cardTerm}>{receipt.card}</Fact>}
      {receipt?.paidInShop && (
        <Fact term={receiptTexts.paid}>{receiptTexts.inShop(receiptTexts.shopMethods[receipt.paidInShop])}</Fact>
      )}
      <Fact term={receiptTexts.date}>
        <Day instant={receipt?.paidAt} />
      </Fact>
      {receipt !== undefined && (
        <Fact term={receiptTexts.orderNumber} className={styles.number}>
          {orderNumberText(receipt.orderId)}
        </Fact>
      )}
      {receipt?.receiptNumber !== undefined && (
        <Fact term={receiptTexts.receiptNumber} className={styles.id}>
          {receipt.receiptNumber}
        </Fact>
      )}
    </dl>
  );
}

/** The specification's three facts: the id, the amount and the day. */
export function PaymentInShort({ paymentId, amount, receipt }: PaymentFactsProps) {
  return (
    <span className={styles.inShort}>
      <span>{shortPaymentId(paymentId)}</span>
      {amount !== undefined && <Money amount={amount} />}
      <Day instant={receipt?.paidAt} />
    </span>
  );
}

type FactProps = { readonly term: string; readonly className?: string | undefined; readonly children: ReactNode };

export function Fact({ term, className, children }: FactProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}

/**
 * The day in the shop, as in its mails and books.
 * @param instant ISO 8601; absent: now.
 */
export function Day({ instant }: { readonly instant: string | undefined }) {
  const { timeZone } = usePageData().config.business;
  const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone });
  const date = instant === undefined ? new Date() : new Date(instant);
  return <time dateTime={date.toISOString()}>{dayFormat.format(date)}</time>;
}
