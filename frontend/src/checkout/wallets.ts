import type { CardReader } from './square-card.ts';
import { parseReading } from './square-card.ts';
import type { SquarePayments, SquareWallet, WalletRequest } from './square-sdk.ts';

export const walletNames = ['applePay', 'googlePay'] as const;
export type WalletName = (typeof walletNames)[number];

export type WalletSetup = {
  readonly applicationId: string;
  readonly locationId: string;
  readonly request: WalletRequest;
};

export type WalletListeners = {
  /** The device has this wallet, so its button may be shown. */
  readonly onOffered: (name: WalletName, wallet: CardReader) => void;
  /** Google's button was pressed. The page has its own button for Apple Pay. */
  readonly onGooglePay: (wallet: CardReader) => void;
};

/**
 * Asks Square which wallets this device has, and adds Google's button to `parent`. A wallet that is
 * missing or fails is not offered, because the customer can still pay by card.
 * @returns a function that removes the wallets
 */
export function mountWallets(parent: HTMLElement, setup: WalletSetup, listeners: WalletListeners): () => void {
  const host = document.createElement('div');
  parent.append(host);
  const mounted = { removed: false };
  const made = [makeApplePay, makeGooglePay].map(async (make): Promise<SquareWallet | undefined> => {
    try {
      const payments = window.Square?.payments(setup.applicationId, setup.locationId);
      return payments && (await make({ host, payments, request: setup.request, listeners, mounted }));
    } catch {
      return undefined;
    }
  });
  return () => {
    mounted.removed = true;
    void Promise.all(made).then(async (wallets) => {
      // Square rejects a second `destroy`. The result does not matter.
      for (const wallet of wallets) await wallet?.destroy?.().catch(() => undefined);
      host.remove();
    });
  };
}

type Making = {
  readonly host: HTMLElement;
  readonly payments: SquarePayments;
  readonly request: WalletRequest;
  readonly listeners: WalletListeners;
  readonly mounted: { readonly removed: boolean };
};

async function makeApplePay({ payments, request, listeners, mounted }: Making): Promise<SquareWallet> {
  const wallet = await payments.applePay(payments.paymentRequest(request));
  if (!mounted.removed) listeners.onOffered('applePay', readerOf(wallet));
  return wallet;
}

async function makeGooglePay({ host, payments, request, listeners, mounted }: Making): Promise<SquareWallet> {
  const wallet = await payments.googlePay(payments.paymentRequest(request));
  if (mounted.removed) return wallet;
  await wallet.attach(host, { buttonColor: 'black', buttonSizeMode: 'fill', buttonType: 'long' });
  const reader = readerOf(wallet);
  host.addEventListener('click', () => listeners.onGooglePay(reader));
  if (!mounted.removed) listeners.onOffered('googlePay', reader);
  return wallet;
}

/** A wallet's token is charged like a card's, so a wallet is a card reader too. */
function readerOf(wallet: SquareWallet): CardReader {
  return {
    read: async () => {
      try {
        const reading = parseReading(await wallet.tokenize());
        return reading.kind === 'canceled' ? { kind: 'dismissed' } : reading;
      } catch {
        return { kind: 'failed' };
      }
    },
  };
}
