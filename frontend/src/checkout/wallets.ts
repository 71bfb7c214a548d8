import type { CardReader } from './square-card.ts';
import { parseReading } from './square-card.ts';
import { loadSquare, type SquarePayments, type SquareWallet, type WalletRequest } from './square-sdk.ts';
import { type AskedContact, contactOfWallet } from './wallet-contact.ts';

export const walletNames = ['applePay', 'googlePay'] as const;
export type WalletName = (typeof walletNames)[number];

export type WalletSetup = {
  readonly applicationId: string;
  readonly locationId: string;
  readonly scriptUrl: string;
  readonly request: WalletRequest;
  /** Undefined when the cart has a contact. */
  readonly asked: AskedContact | undefined;
};

export type WalletListeners = {
  readonly onOffered: (name: WalletName, wallet: CardReader) => void;
  /** The page has its own button for Apple Pay. */
  readonly onGooglePay: (wallet: CardReader) => void;
  /** Every wallet is offered or missing. */
  readonly onSettled: () => void;
};

/**
 * Adds Google's button to `parent`. A wallet that is missing or fails is not offered.
 * @returns a function that removes the wallets.
 */
export function mountWallets(parent: HTMLElement, setup: WalletSetup, listeners: WalletListeners): () => void {
  const host = document.createElement('div');
  parent.append(host);
  const mounted = { removed: false };
  const made = [makeApplePay, makeGooglePay].map(async (make): Promise<SquareWallet | undefined> => {
    try {
      const square = await loadSquare(setup.scriptUrl);
      const payments = square?.payments(setup.applicationId, setup.locationId);
      return payments && (await make({ host, payments, setup, listeners, mounted }));
    } catch {
      return undefined;
    }
  });
  void Promise.all(made).then(() => {
    if (!mounted.removed) listeners.onSettled();
  });
  return () => {
    mounted.removed = true;
    void Promise.all(made).then(async (wallets) => {
      // Square rejects a second `destroy`.
      for (const wallet of wallets) await wallet?.destroy?.().catch(() => undefined);
      host.remove();
    });
  };
}

type Making = {
  readonly host: HTMLElement;
  readonly payments: SquarePayments;
  readonly setup: WalletSetup;
  readonly listeners: WalletListeners;
  readonly mounted: { readonly removed: boolean };
};

async function makeApplePay({ payments, setup, listeners, mounted }: Making): Promise<SquareWallet> {
  const wallet = await payments.applePay(payments.paymentRequest(setup.request));
  if (!mounted.removed) listeners.onOffered('applePay', readerOf(wallet, setup));
  return wallet;
}

async function makeGooglePay({ host, payments, setup, listeners, mounted }: Making): Promise<SquareWallet> {
  const wallet = await payments.googlePay(payments.paymentRequest(setup.request));
  if (mounted.removed) return wallet;
  await wallet.attach(host, { buttonColor: 'black', buttonSizeMode: 'fill', buttonType: 'long' });
  const reader = readerOf(wallet, setup);
  host.addEventListener('click', () => listeners.onGooglePay(reader));
  if (!mounted.removed) listeners.onOffered('googlePay', reader);
  return wallet;
}

/** A wallet's token is charged like a card's. */
function readerOf(wallet: SquareWallet, { asked }: WalletSetup): CardReader {
  return {
    read: async () => {
      try {
        const tokenized = await wallet.tokenize();
        const reading = parseReading(tokenized);
        if (reading.kind === 'canceled') return { kind: 'dismissed' };
        if (reading.kind !== 'token' || asked === undefined) return reading;
        const given = contactOfWallet(tokenized, asked);
        if (!given.ok) return { kind: 'contactIncomplete', mistakes: given.rejection };
        return { ...reading, customerInfo: given.value };
      } catch {
        return { kind: 'failed' };
      }
    },
  };
}
