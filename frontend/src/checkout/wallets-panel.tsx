import { decimalDollars } from '@kilim/domain/money';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePageData } from '../shared/page-data.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { Button } from '../shared/ui/button.tsx';
import { isWithoutContact } from './checkout-machine.ts';
import type { CheckoutView } from './checkout-view.ts';
import { deferredTexts } from './deferred-texts.ts';
import type { CardReader } from './square-card.ts';
import { walletRequest } from './wallet-request.ts';
import { mountWallets, type WalletName, type WalletSetup } from './wallets.ts';
import styles from './wallets-panel.module.css';

/** With the current total of the order. */
export function Wallets({ state, send }: CheckoutView) {
  const { applicationId, locationId, scriptUrl } = usePageData().config.square;
  const { order, isDifference } = state.context;
  const setup = useMemo((): WalletSetup | undefined => {
    if (order === undefined) return undefined;
    const isAsked = isWithoutContact({ order, isDifference });
    const request = walletRequest(decimalDollars(order.totalAmount), isAsked);
    return { applicationId, locationId, scriptUrl, request, asked: isAsked ? order : undefined };
    // Another order has another total, and a wallet must never show an old one.
  }, [applicationId, locationId, scriptUrl, order, isDifference]);
  const pay = useCallback(
    (wallet: CardReader) => send({ type: 'wallet.pressed', online: navigator.onLine, wallet }),
    [send],
  );
  if (setup === undefined) return null;
  const isPossible = state.matches({ payment: 'ready' }) || state.matches({ payment: 'priceChanged' });
  return (
    <>
      <WalletButtons setup={setup} isPossible={isPossible} onPay={pay} />
      {state.context.notice?.code === 'WalletSilent' && (
        <Alert
          tone="notice"
          title={deferredTexts.walletSilentTitle}
          action={
            <Button variant="secondary" onClick={() => send({ type: 'wallet.left' })}>
              {deferredTexts.cardInstead}
            </Button>
          }
        >
          {deferredTexts.walletSilent}
        </Alert>
      )}
    </>
  );
}

type WalletButtonsProps = {
  /** The same object between renders: another setup creates other buttons. */
  readonly setup: WalletSetup;
  readonly isPossible: boolean;
  readonly onPay: (wallet: CardReader) => void;
};

type Offered = Partial<Record<WalletName, CardReader>> & { readonly isSettled?: boolean };

/** Or a line that says that the browser has neither. */
function WalletButtons({ setup, isPossible, onPay }: WalletButtonsProps) {
  const parent = useRef<HTMLDivElement>(null);
  const [{ applePay, googlePay, isSettled }, setOffered] = useState<Offered>({});
  useEffect(() => {
    if (parent.current === null) return;
    const remove = mountWallets(parent.current, setup, {
      onOffered: (name, wallet) => setOffered((offered) => ({ ...offered, [name]: wallet })),
      onGooglePay: onPay,
      onSettled: () => setOffered((offered) => ({ ...offered, isSettled: true })),
    });
    return () => {
      remove();
      setOffered({});
    };
  }, [setup, onPay]);
  const isOffered = applePay !== undefined || googlePay !== undefined;
  const isNone = !isOffered && isSettled === true;
  return (
    <fieldset className={styles.wallets} inert={!isPossible || undefined} data-none={isNone || undefined}>
      <legend className={styles.name}>{deferredTexts.walletsTitle}</legend>
      {isNone && <p className={styles.none}>{deferredTexts.noWallet}</p>}
      {applePay !== undefined && (
        <button
          type="button"
          className={styles.applePay}
          aria-label={deferredTexts.applePay}
          onClick={() => onPay(applePay)}
        >
          Apple Pay
        </button>
      )}
      {/* Always mounted in its final place, because Google measures the button's container. */}
      <div ref={parent} className={styles.googlePay} data-offered={googlePay !== undefined || undefined} />
    </fieldset>
  );
}
