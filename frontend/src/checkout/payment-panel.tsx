import { type Cents, formatDollars } from '@kilim/domain/money';
import type { Result } from '@kilim/domain/result';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { mayHaveWallet } from '../shared/device-wallets.ts';
import { logWarning } from '../shared/log.ts';
import { usePageData } from '../shared/page-data.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { Button } from '../shared/ui/button.tsx';
import { LockIcon } from '../shared/ui/icons.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import { cardSetup, readToken } from './card-setup.ts';
import styles from './checkout.module.css';
import { CheckoutLoading } from './checkout-loading.tsx';
import { isWithoutContact } from './checkout-machine.ts';
import type { CheckoutView } from './checkout-view.ts';
import { NoticeMessage, PriceChangedMessage, UnsureMessage } from './outcome-messages.tsx';
import { type CardForm, type CardProblem, type CardSetup, mountCard } from './square-card.ts';
import { Terms } from './terms.tsx';
import { checkoutTexts } from './texts.ts';
import { useDeferredPart } from './use-deferred-part.ts';

export function PaymentPanel({ state, send }: CheckoutView) {
  const { order, notice, form, isDifference } = state.context;
  const navigate = useNavigate();
  const isUnsure = state.matches({ payment: { sent: 'unsure' } });
  const [offersWallets] = useState(mayHaveWallet);
  // If they fail to load, the card form still works.
  const Wallets = useDeferredPart('Wallets', order !== undefined && offersWallets);
  const toCart = () => void navigate({ to: '/', hash: 'cart' });
  const isPriceChanged = state.matches({ payment: 'priceChanged' });
  return (
    <Panel title={checkoutTexts.paymentTitle} headingId="checkout-payment" className={styles.payment}>
      {isUnsure && <UnsureMessage state={state} onCheck={() => send({ type: 'check.pressed' })} />}
      {order !== undefined && (
        <>
          {offersWallets && (
            <div className={isUnsure ? styles.aside : styles.wallets}>
              {Wallets && <Wallets state={state} send={send} />}
              <p className={styles.or}>{checkoutTexts.orByCard}</p>
            </div>
          )}
          {isWithoutContact(state.context) ? (
            <EnterContact onBack={toCart} />
          ) : (
            <div className={isUnsure ? styles.aside : undefined}>
              <CardGroup state={state} send={send} />
            </div>
          )}
          {isPriceChanged && <PriceChangedMessage order={order} context={state.context} />}
          {notice !== undefined && notice.code !== 'WalletSilent' && (
            <NoticeMessage notice={notice} form={form} onBack={isDifference === true ? undefined : toCart} />
          )}
          <div className={styles.pay}>
            {!isWithoutContact(state.context) && <PayButton state={state} send={send} total={order.totalAmount} />}
            <Progress state={state} />
            <p className={styles.secure}>
              <LockIcon />
              {checkoutTexts.secure}
            </p>
          </div>
          <p className={styles.hint}>{checkoutTexts.cardHint}</p>
          <Terms />
        </>
      )}
    </Panel>
  );
}

/** A hidden card form stays in the document: removing Square's iframe would lose the typed card data. */
function CardGroup({ state, send }: CheckoutView) {
  const { square } = usePageData().config;
  const { order, formTries, formProblem } = state.context;
  const [setup] = useState(() => cardSetup(square, order, readToken));
  const settled: CardFieldProps['onSettled'] = useCallback(
    (made) => {
      if (!made.ok) {
        logWarning(`The card form could not be shown: ${made.rejection.code}`);
        return send({ type: 'form.failed', problem: made.rejection });
      }
      made.value.whenSubmitted(() => send({ type: 'pay.pressed', online: navigator.onLine }));
      send({ type: 'form.shown', form: made.value });
    },
    [send],
  );
  return (
    <fieldset className={styles.card} inert={state.hasTag('busy') || undefined}>
      <legend className={styles.legend}>{checkoutTexts.cardGroup}</legend>
      {state.matches({ card: 'loadingCard' }) && (
        <div className={styles.cardLoading}>
          <CheckoutLoading />
          <Skeleton height="56px" />
        </div>
      )}
      {formProblem === undefined ? (
        <CardField key={formTries} setup={setup} onSettled={settled} />
      ) : (
        <Alert
          tone="danger"
          title={checkoutTexts.cardUnavailableTitle}
          action={
            <Button variant="secondary" onClick={() => send({ type: 'form.retry' })}>
              {checkoutTexts.tryAgain}
            </Button>
          }
        >
          <p>{checkoutTexts.cardUnavailable[formProblem.code]}</p>
        </Alert>
      )}
    </fieldset>
  );
}

/** The card form needs a contact from the cart; a wallet does not. */
function EnterContact({ onBack }: { readonly onBack: () => void }) {
  return (
    <div className={styles.contact}>
      <p>{checkoutTexts.withoutContact}</p>
      <Button variant="secondary" onClick={onBack}>
        {checkoutTexts.enterContact}
      </Button>
    </div>
  );
}

function stageOf({ state }: Pick<CheckoutView, 'state'>) {
  const isReading = state.matches({ payment: 'tokenizing' });
  const isReadingWallet = isReading && state.context.reader !== state.context.form;
  return {
    isReadingCard: isReading && !isReadingWallet,
    isReadingWallet,
    isCharging: state.matches({ payment: { sent: 'charging' } }),
    isPaid: state.matches({ payment: 'paid' }),
  };
}

function PayButton({ state, send, total }: CheckoutView & { readonly total: Cents }) {
  const { isReadingCard, isCharging, isPaid } = stageOf({ state });
  const isPossible = state.can({ type: 'pay.pressed', online: true });
  return (
    <Button
      wide
      data-uncovered
      busy={isReadingCard || isCharging || isPaid}
      aria-disabled={!isPossible || undefined}
      onClick={() => send({ type: 'pay.pressed', online: navigator.onLine })}
    >
      {checkoutTexts.pay(formatDollars(total))}
    </Button>
  );
}

function Progress({ state }: Pick<CheckoutView, 'state'>) {
  const { isReadingCard, isReadingWallet, isCharging, isPaid } = stageOf({ state });
  return (
    <p className={styles.progress} role="status">
      {isReadingCard && checkoutTexts.readingCard}
      {isReadingWallet && checkoutTexts.readingWallet}
      {isCharging && checkoutTexts.charging}
      {isPaid && checkoutTexts.paid}
    </p>
  );
}

type CardFieldProps = {
  /** The same object between renders: another setup creates another form. */
  readonly setup: CardSetup;
  readonly onSettled: (form: Result<CardForm, CardProblem>) => void;
};

/** To try again, mount it with another `key`. */
function CardField({ setup, onSettled }: CardFieldProps) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (parent.current === null) return;
    const mount = mountCard(parent.current, setup);
    void mount.form.then(onSettled);
    return mount.remove;
  }, [setup, onSettled]);
  return <div ref={parent} />;
}
