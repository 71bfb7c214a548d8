import { decimalDollars } from '@kilim/domain/money';
import { useCallback, useMemo } from 'react';
import { usePageData } from '../shared/page-data.ts';
import type { CheckoutView } from './checkout-view.ts';
import type { CardReader } from './square-card.ts';
import { WalletButtons } from './wallet-buttons.tsx';
import type { WalletSetup } from './wallets.ts';

/** The device's wallets, with the current total of the order. */
export function Wallets({ state, send }: CheckoutView) {
  const { applicationId, locationId } = usePageData().config.square;
  const { order } = state.context;
  // A changed total creates a new request, so that a wallet never shows an old total.
  const total = order?.totalAmount;
  const setup = useMemo((): WalletSetup | undefined => {
    if (total === undefined) return undefined;
    const amount = decimalDollars(total);
    const request = { countryCode: 'US', currencyCode: 'USD', total: { amount, label: 'Total' } } as const;
    return { applicationId, locationId, request };
  }, [applicationId, locationId, total]);
  const pay = useCallback(
    (wallet: CardReader) => send({ type: 'wallet.pressed', online: navigator.onLine, wallet }),
    [send],
  );
  if (setup === undefined) return null;
  const isPossible = state.matches({ payment: 'ready' }) || state.matches({ payment: 'priceChanged' });
  return <WalletButtons setup={setup} isPossible={isPossible} onPay={pay} />;
}
