import { type Cents, formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { orderNumberText } from '../shared/order-number.ts';
import { usePageData } from '../shared/page-data.ts';
import { PricedOrder } from '../shared/priced-order/priced-order.tsx';
import { showToast } from '../shared/toast/toast-store.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { Button, buttonClass } from '../shared/ui/button.tsx';
import { CheckIcon } from '../shared/ui/icons.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { useMediaQuery } from '../shared/use-media-query.ts';
import { usePageTitle } from '../shared/use-page-title.ts';
import { CustomerPanel } from './customer-panel.tsx';
import { FailureView } from './failure-view.tsx';
import { NextSteps } from './next-steps.tsx';
import { PaymentFacts, type PaymentFactsProps, PaymentInShort } from './payment-facts.tsx';
import styles from './receipt.module.css';
import type { Receipt, ReceiptState } from './receipt.ts';
import { RefundsPanel } from './refunds-panel.tsx';
import { receiptTexts } from './texts.ts';
import { useBackToReceipt } from './use-back-to-receipt.ts';
import { useReceipt } from './use-receipt.ts';

type ReceiptViewProps = { readonly paymentId: string; readonly amount: Cents | undefined };

export function ReceiptView({ paymentId, amount }: ReceiptViewProps) {
  const { state, isUnreachable, verification, isAsking, askAgain } = useReceipt(paymentId, amount);
  useBackToReceipt(state.kind === 'paid');
  const heading = headingOf(state);
  usePageTitle(heading);
  switch (state.kind) {
    case 'loading':
      return (
        <>
          <PageTitle key={heading}>{heading}</PageTitle>
          <PaymentPanel paymentId={paymentId} amount={amount} />
        </>
      );
    case 'paid':
      return (
        <>
          <Letterhead />
          <header className={styles.success}>
            <CheckIcon />
            <PageTitle key={heading}>{heading}</PageTitle>
            <Lead receipt={state.receipt} />
          </header>
          {isUnreachable && state.receipt.source === 'browser' && (
            <AskAgain text={receiptTexts.browserOnly} isAsking={isAsking} askAgain={askAgain} />
          )}
          {verification === 'PENDING' && (
            <AskAgain text={receiptTexts.stillConfirming} isAsking={isAsking} askAgain={askAgain} />
          )}
          {verification === 'FAILED' && <Alert tone="danger">{receiptTexts.verificationFailed}</Alert>}
          <ReceiptBody paymentId={paymentId} receipt={state.receipt} />
        </>
      );
    case 'confirming':
      return (
        <>
          <PageTitle key={heading}>{heading}</PageTitle>
          <AskAgain text={receiptTexts.confirming} isAsking={isAsking} askAgain={askAgain} />
          <PaymentPanel paymentId={paymentId} amount={state.receipt.total} receipt={state.receipt} />
          <OrderPanel receipt={state.receipt} />
        </>
      );
    case 'unpaid':
      return <FailureView heading={heading} text={receiptTexts.unpaid} action={payAgain(state)} />;
    case 'unknown':
      return <FailureView heading={heading} text={receiptTexts.unknown} action={{ isAsking, askAgain }} />;
    case 'expired':
      return <FailureView heading={heading} text={receiptTexts.expired} action="home" />;
    default:
      return (
        <>
          <FailureView heading={heading} text={receiptTexts.unavailable} action={{ isAsking, askAgain }} />
          <PaymentPanel paymentId={paymentId} amount={amount} />
        </>
      );
  }
}

const headings = {
  loading: receiptTexts.loadingHeading,
  paid: receiptTexts.successHeading,
  confirming: receiptTexts.confirmingHeading,
  unpaid: receiptTexts.failedHeading,
  unknown: receiptTexts.unknownHeading,
  expired: receiptTexts.expiredHeading,
  unavailable: receiptTexts.unavailableHeading,
} satisfies Record<ReceiptState['kind'], string>;

function headingOf(state: ReceiptState): string {
  return state.kind === 'paid' && state.receipt.supplementOf ? receiptTexts.differenceHeading : headings[state.kind];
}

function payAgain({ differenceId }: Extract<ReceiptState, { kind: 'unpaid' }>) {
  return differenceId === undefined ? 'pay' : { differenceId };
}

type AskAgainProps = { readonly text: string; readonly isAsking: boolean; readonly askAgain: () => void };

function AskAgain({ text, isAsking, askAgain }: AskAgainProps) {
  return (
    <div className={styles.askAgain}>
      <Alert
        tone="notice"
        action={
          <Button variant="secondary" busy={isAsking} onClick={askAgain}>
            {receiptTexts.checkAgain}
          </Button>
        }
      >
        {text}
      </Alert>
    </div>
  );
}

/** Thanks by name only in the browser that paid: elsewhere the contact is masked. */
function Lead({ receipt }: { readonly receipt: Receipt }) {
  const { customer, orderId, total, card, remainsPaid, confirmationMail, supplementOf, paidInShop } = receipt;
  if (remainsPaid === 0) return <p>{receiptTexts.refundedLead}</p>;
  const firstName = customer.phone === '' ? undefined : customer.name.split(' ')[0];
  return (
    <>
      <p>
        {supplementOf
          ? receiptTexts.differenceLead(orderNumberText(supplementOf))
          : receiptTexts.successLead(firstName, orderNumberText(orderId))}
      </p>
      <p className={styles.mail}>
        {card !== undefined && receiptTexts.paidBy(formatDollars(total), card)}
        {paidInShop && receiptTexts.paidInShop(formatDollars(total), receiptTexts.shopMethods[paidInShop])}{' '}
        {confirmationMail === 'sent' && receiptTexts.mailSent(customer.email)}
        {confirmationMail === 'coming' && receiptTexts.mailComing(customer.email)}
      </p>
    </>
  );
}

function ReceiptBody({ paymentId, receipt }: { readonly paymentId: string; readonly receipt: Receipt }) {
  const { total, refunds, remainsPaid, supplementOf, difference } = receipt;
  const isHandedOver = receipt.stage === 'handed-over';
  return (
    <>
      {remainsPaid > 0 && difference && <AskedDifference {...difference} />}
      {refunds.length > 0 && <RefundsPanel receipt={receipt} />}
      {/* A fully refunded order has no next steps, and those of a difference are on the receipt of its order. */}
      {remainsPaid > 0 && !supplementOf && (
        <Panel title={isHandedOver ? receiptTexts.rugsTitle : receiptTexts.nextTitle} headingId="receipt-next">
          <NextSteps receipt={receipt} paymentId={paymentId} />
        </Panel>
      )}
      <OrderPanel receipt={receipt} />
      <CustomerPanel receipt={receipt} />
      <PaymentDetails paymentId={paymentId} amount={total} receipt={receipt} />
      <div className={styles.actions}>
        <Button variant="secondary" onClick={() => window.print()}>
          {receiptTexts.print}
        </Button>
        <CopyLink />
        <Link to="/" className={buttonClass('secondary')}>
          {receiptTexts.home}
        </Link>
      </div>
    </>
  );
}

function AskedDifference({ id, amount }: NonNullable<Receipt['difference']>) {
  const { differenceAsked, payDifference } = receiptTexts;
  return (
    <div className={styles.difference}>
      <Alert
        tone="notice"
        action={
          <Link to="/difference/$differenceId" params={{ differenceId: id }} className={buttonClass('primary')}>
            {payDifference(formatDollars(amount))}
          </Link>
        }
      >
        {differenceAsked(formatDollars(amount))}
      </Alert>
    </div>
  );
}

function PaymentPanel(facts: PaymentFactsProps) {
  return (
    <Panel title={receiptTexts.paymentTitle} headingId="receipt-payment">
      <PaymentFacts {...facts} />
    </Panel>
  );
}

/** Folded on the screen, and always printed. */
function PaymentDetails(facts: PaymentFactsProps & { readonly receipt: Receipt }) {
  const [isOpen, setIsOpen] = useState(false);
  const isPrinted = useMediaQuery('print');
  const { receiptUrl } = facts.receipt;
  const isShown = isOpen || isPrinted;
  return (
    <Panel
      title={receiptTexts.paymentTitle}
      headingId="receipt-payment"
      className={styles.payment}
      subtitle={isShown ? undefined : <PaymentInShort {...facts} />}
      action={
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? receiptTexts.hideDetails : receiptTexts.showDetails}
        </Button>
      }
    >
      {isShown && <PaymentFacts {...facts} />}
      {isShown && receiptUrl !== undefined && (
        <p className={styles.squareReceipt}>
          <a href={receiptUrl} target="_blank" rel="noopener noreferrer">
            {receiptTexts.squareReceipt}
          </a>
        </p>
      )}
    </Panel>
  );
}

function OrderPanel({ receipt }: { readonly receipt: Receipt }) {
  const { deliveryOption, rugs, deliveryCost, salesTax, salesTaxName, total, paidDifferences = [] } = receipt;
  return (
    <Panel title={receiptTexts.orderTitle} headingId="receipt-order">
      <PricedOrder
        rugs={rugs}
        amounts={{ isPickup: deliveryOption === 'pickup', deliveryCost, salesTax, salesTaxName, total }}
      />
      {paidDifferences.map(({ paymentId, amount }) => (
        <p key={paymentId} className={styles.paidDifference}>
          {receiptTexts.differencePaid(formatDollars(amount))}{' '}
          <Link to="/payment-success" search={{ payment_id: paymentId }}>
            {receiptTexts.differenceReceipt}
          </Link>
        </p>
      ))}
    </Panel>
  );
}

/** The link works on another device, where the contact is masked. */
function CopyLink() {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      showToast({ title: receiptTexts.linkCopied, description: receiptTexts.linkCopiedHint });
    } catch {
      showToast({ title: receiptTexts.linkNotCopied, variant: 'destructive' });
    }
  };
  return (
    <Button variant="secondary" onClick={() => void copy()}>
      {receiptTexts.copyLink}
    </Button>
  );
}

/** For print only: on the screen, the page's header shows them. */
function Letterhead() {
  const { name, phone } = usePageData().config.business;
  return (
    <div className={styles.letterhead}>
      <div>
        <p className={styles.business}>{name}</p>
        <p>{phone}</p>
      </div>
      <p className={styles.printedHeading}>{receiptTexts.printedHeading}</p>
    </div>
  );
}
