import { useEffect, useState } from 'react';
import { loadSquare } from '../checkout/square-sdk.ts';
import { walletRequest } from '../checkout/wallet-request.ts';
import type { Config } from '../shared/config.ts';
import { rememberWallets } from '../shared/device-wallets.ts';
import { usePageData } from '../shared/page-data.ts';
import { Button } from '../shared/ui/button.tsx';
import { cartTexts } from './cart-texts.ts';
import styles from './contact-section.module.css';
import { useOrderFormActor } from './order-form-actor.ts';
import { stopsAtPickup } from './pickup-days.ts';

import { useIsTooLarge } from './use-quote.ts';

/** If the device has a wallet, which gives the contact. The button's place is reserved, so that nothing moves. */
export function ExpressOffer() {
  const actor = useOrderFormActor();
  const pageData = usePageData();
  const { square } = pageData.config;
  const isTooLarge = useIsTooLarge();
  const [hasWallet, setHasWallet] = useState(false);
  useEffect(() => {
    let left = false;
    void findWallet(square).then((found) => {
      if (found !== undefined) rememberWallets(found);
      if (!left) setHasWallet(found === true);
    });
    return () => {
      left = true;
    };
  }, [square]);
  const chooseExpress = () => {
    if (!stopsAtPickup(actor, pageData)) actor.send({ type: 'cart.expressChosen' });
  };
  return (
    <div className={styles.express}>
      {hasWallet && !isTooLarge ? (
        <Button variant="secondary" wide onClick={chooseExpress}>
          {cartTexts.express}
        </Button>
      ) : (
        <p>{cartTexts.whyContact}</p>
      )}
    </div>
  );
}

/** Undefined if Square's script, which the checkout needs too, does not load. */
async function findWallet({ applicationId, locationId, scriptUrl }: Config['square']): Promise<boolean | undefined> {
  const loaded = await loadSquare(scriptUrl);
  if (loaded === undefined) return undefined;
  try {
    const payments = loaded.payments(applicationId, locationId);
    const request = walletRequest('1.00', true);
    const wallet = await Promise.any([
      payments.applePay(payments.paymentRequest(request)),
      payments.googlePay(payments.paymentRequest(request)),
    ]);
    await wallet.destroy?.();
    return true;
  } catch {
    return false;
  }
}
