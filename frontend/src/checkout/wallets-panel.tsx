import { decimalDollars } from '@kilim/domain/money';
import { useCallback, useMemo } from 'react';
import { usePageData } from '../shared/page-data.ts';
import { isWithoutContact } from './checkout-machine.ts';
import type { CheckoutView } from './checkout-view.ts';
import type { CardReader } from './square-card.ts';
import { WalletButtons } from './wallet-buttons.tsx';
import { walletRequest } from './wallet-request.ts';
import type { WalletSetup } from './wallets.ts';

/** The device's wallets, with the current total of the order. */
export function Wallets({ state, send }: CheckoutView) {
  const { applicationId, locationId, scriptUrl } = usePageData().config.square;
  const { order } = state.context;
  const setup = useMemo((): WalletSetup | undefined => {
    if (order === undefined) return undefined;
    const isAsked = isWithoutContact(order);
    const request = walletRequest(decimalDollars(order.totalAmount), isAsked);
    return { applicationId, locationId, scriptUrl, request, asked: isAsked ? order : undefined };
    // Another order has another total, and a wallet must never show an old one.
  }, [applicationId, locationId, scriptUrl, order]);
  const pay = useCallback(
    (wallet: CardReader) => send({ type: 'wallet.pressed', online: navigator.onLine, wallet }),
    [send],
  );
  if (setup === undefined) return null;
  const isPossible = state.matches({ payment: 'ready' }) || state.matches({ payment: 'priceChanged' });
  return <WalletButtons setup={setup} isPossible={isPossible} onPay={pay} />;
}
