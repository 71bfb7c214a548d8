import { useEffect, useRef, useState } from 'react';
import type { CardReader } from './square-card.ts';
import { checkoutTexts } from './texts.ts';
import styles from './wallet-buttons.module.css';
import { mountWallets, type WalletName, type WalletSetup } from './wallets.ts';

export type WalletButtonsProps = {
  /** Must be the same object between renders: another setup creates other buttons. */
  readonly setup: WalletSetup;
  /** Whether the customer can pay now. */
  readonly isPossible: boolean;
  readonly onPay: (wallet: CardReader) => void;
};

type Offered = Partial<Record<WalletName, CardReader>>;

/**
 * The buttons for Apple Pay and Google Pay, if the device has them. Renders nothing visible if it
 * has neither.
 */
export function WalletButtons({ setup, isPossible, onPay }: WalletButtonsProps) {
  const parent = useRef<HTMLDivElement>(null);
  const [{ applePay, googlePay }, setOffered] = useState<Offered>({});
  useEffect(() => {
    if (parent.current === null) return;
    const remove = mountWallets(parent.current, setup, {
      onOffered: (name, wallet) => setOffered((offered) => ({ ...offered, [name]: wallet })),
      onGooglePay: onPay,
    });
    return () => {
      remove();
      setOffered({});
    };
  }, [setup, onPay]);
  const isOffered = applePay !== undefined || googlePay !== undefined;
  return (
    <fieldset className={styles.wallets} inert={!isPossible || undefined} data-offered={isOffered || undefined}>
      {isOffered && <legend className={styles.or}>{checkoutTexts.walletsTitle}</legend>}
      {applePay !== undefined && (
        <button
          type="button"
          className={styles.applePay}
          aria-label={checkoutTexts.applePay}
          onClick={() => onPay(applePay)}
        >
          {checkoutTexts.applePay}
        </button>
      )}
      {/* Always mounted and in its final place, because Google measures the container of its button. */}
      <div ref={parent} className={styles.googlePay} data-offered={googlePay !== undefined || undefined} />
    </fieldset>
  );
}
