import { useEffect, useRef, useState } from 'react';
import { deferredTexts } from './deferred-texts.ts';
import type { CardReader } from './square-card.ts';
import styles from './wallet-buttons.module.css';
import { mountWallets, type WalletName, type WalletSetup } from './wallets.ts';

export type WalletButtonsProps = {
  /** Must be the same object between renders: another setup creates other buttons. */
  readonly setup: WalletSetup;
  /** Whether the customer can pay now. */
  readonly isPossible: boolean;
  readonly onPay: (wallet: CardReader) => void;
};

type Offered = Partial<Record<WalletName, CardReader>> & { readonly isSettled?: boolean };

/** The buttons for Apple Pay and Google Pay, or a line that says that the browser has neither. */
export function WalletButtons({ setup, isPossible, onPay }: WalletButtonsProps) {
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
  return (
    <fieldset className={styles.wallets} inert={!isPossible || undefined}>
      <legend className={styles.name}>{deferredTexts.walletsTitle}</legend>
      {!isOffered && isSettled && <p className={styles.none}>{deferredTexts.noWallet}</p>}
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
      {/* Always mounted and in its final place, because Google measures the container of its button. */}
      <div ref={parent} className={styles.googlePay} data-offered={googlePay !== undefined || undefined} />
    </fieldset>
  );
}
