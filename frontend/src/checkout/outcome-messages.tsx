import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { formatDollars } from '@kilim/domain/money';
import { unreachable } from '@kilim/domain/unreachable';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SnapshotFrom } from 'xstate';
import { Alert } from '../shared/ui/alert.tsx';
import { Button } from '../shared/ui/button.tsx';
import { Spinner } from '../shared/ui/spinner.tsx';
import { useOnline } from '../shared/use-online.ts';
import styles from './checkout.module.css';
import { type CheckoutContext, type checkoutMachine, slowAfterLookUps } from './checkout-machine.ts';
import type { Notice } from './outcomes.ts';
import type { CardForm } from './square-card.ts';
import { checkoutTexts } from './texts.ts';
import { useDeferredPart } from './use-deferred-part.ts';

/** Takes the focus: its message is more important than the customer's current action. */
function Arrival({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} tabIndex={-1}>
      {children}
    </div>
  );
}

type UnsureMessageProps = {
  readonly state: SnapshotFrom<typeof checkoutMachine>;
  readonly onCheck: () => void;
};

export function UnsureMessage({ state, onCheck }: UnsureMessageProps) {
  const online = useOnline();
  const { isElsewhere, message, lookUps } = state.context;
  const isLooking = state.matches({ payment: { sent: { unsure: 'looking' } } });
  return (
    <Arrival>
      <div className={styles.unsure}>
        <p className={styles.unsureTitle}>
          <Spinner />
          {checkoutTexts.unsureTitle}
        </p>
        <p>{isElsewhere ? checkoutTexts.unsureElsewhere : checkoutTexts.unsure}</p>
        <div role="status">
          {!online && <p>{checkoutTexts.unsureOffline}</p>}
          {online && (message || lookUps > slowAfterLookUps) && <p>{message || checkoutTexts.unsureSlow}</p>}
        </div>
        <Button variant="secondary" aria-disabled={isLooking || undefined} onClick={onCheck}>
          {checkoutTexts.checkNow}
        </Button>
      </div>
    </Arrival>
  );
}

type PriceChangedMessageProps = {
  readonly order: CurrentOrder;
  readonly context: Pick<CheckoutContext, 'previousOrder' | 'shownTotal'>;
};

/** Pressing Pay accepts the new total. */
export function PriceChangedMessage({ order, context: { previousOrder, shownTotal } }: PriceChangedMessageProps) {
  const Table = useDeferredPart('PriceChangesTable', true);
  const total = formatDollars(order.totalAmount);
  return (
    <Arrival>
      <Alert tone="danger" title={checkoutTexts.priceChangedTitle}>
        {Table !== undefined && <Table before={previousOrder} shownTotal={shownTotal} after={order} />}
        <p>{checkoutTexts.priceChanged(checkoutTexts.pay(total))}</p>
      </Alert>
    </Arrival>
  );
}

/** A silent wallet has its message beside the wallets. */
type ShownNotice = Exclude<Notice, { readonly code: 'WalletSilent' }>;

type NoticeMessageProps = {
  readonly notice: ShownNotice;
  readonly form: CardForm | undefined;
  /** Undefined: there is no cart. */
  readonly onBack: (() => void) | undefined;
};

/** Near the Pay button. For invalid card data it focuses the first invalid field. */
export function NoticeMessage({ notice, form, onBack }: NoticeMessageProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = notice.code === 'CardInvalid' ? notice.fields[0] : undefined;
    if (field !== undefined) return form?.focus(field);
    // The message that had the focus was removed, so the notice takes it.
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [notice, form]);
  const { title, tone, text } = wordsFor(notice);
  const isAboutCart = notice.code === 'ContactIncomplete' || (notice.code === 'Refused' && notice.isAboutCart);
  const action = isAboutCart && onBack !== undefined ? <BackToCart onBack={onBack} /> : undefined;
  return (
    <div ref={place} tabIndex={-1} data-uncovered>
      <Alert tone={tone} title={title} action={action}>
        {text}
      </Alert>
    </div>
  );
}

type Words = { readonly title: string; readonly tone: 'danger' | 'notice'; readonly text: ReactNode };

function wordsFor(notice: ShownNotice): Words {
  switch (notice.code) {
    case 'CardInvalid':
      return {
        title: checkoutTexts.cardInvalidTitle,
        tone: 'danger',
        text: <Lines of={notice.fields.map((field) => checkoutTexts.cardFields[field])} />,
      };
    case 'ContactIncomplete':
      return {
        title: checkoutTexts.contactIncompleteTitle,
        tone: 'danger',
        text: (
          <>
            <Lines of={notice.mistakes} />
            <p>{checkoutTexts.contactIncomplete}</p>
          </>
        ),
      };
    case 'CardUnreadable':
      return { title: checkoutTexts.cardUnreadableTitle, tone: 'danger', text: checkoutTexts.cardUnreadable };
    case 'VerificationCanceled':
      return {
        title: checkoutTexts.verificationCanceledTitle,
        tone: 'danger',
        text: checkoutTexts.verificationCanceled,
      };
    case 'Offline':
      return { title: checkoutTexts.offlineTitle, tone: 'danger', text: checkoutTexts.offline };
    case 'Declined':
      return {
        title: notice.isReturned ? checkoutTexts.returnedTitle : checkoutTexts.declinedTitle,
        tone: 'danger',
        text: notice.message,
      };
    case 'Refused':
      return {
        title: checkoutTexts.refusedTitle,
        tone: 'danger',
        text: `${notice.message} ${checkoutTexts.refusedHint}`,
      };
    case 'NothingCharged':
      return { title: checkoutTexts.nothingChargedTitle, tone: 'notice', text: checkoutTexts.nothingCharged };
    default:
      return unreachable(notice);
  }
}

function Lines({ of: lines }: { readonly of: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.fields}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function BackToCart({ onBack }: { readonly onBack: () => void }) {
  return (
    <Button variant="secondary" onClick={onBack}>
      {checkoutTexts.backToCart}
    </Button>
  );
}
