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
  /** The device has this wallet, and its button may be shown. */
  readonly onOffered: (name: WalletName, wallet: CardReader) => void;
  /** Google's button was pressed. Apple's is the page's own. */
  readonly onGooglePay: (wallet: CardReader) => void;
};

/**
 * Asks Square which wallets this device has, and puts Google's button into `parent`. A wallet that
 * is not there, or that fails in any way, is not offered: there is always the card. @returns what
 * takes them away again.
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
      // Square answers a second destroy with an error; nobody waits for this one.
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

/** A wallet's answer is a card's: the token that it gives is charged like any other. */
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
