import { createPolicy } from '../shared/trusted-types.ts';

/** Square's Web Payments SDK, as far as we use it. `square-card.ts` parses results. */
export type SquareSdk = {
  /** Throws on a wrong application id or environment, and outside a secure context. */
  readonly payments: (applicationId: string, locationId: string) => SquarePayments;
};

export type SquarePayments = {
  readonly card: CardFactory;
  readonly paymentRequest: (request: WalletRequest) => unknown;
  /** Both reject if the device, the browser or the Square account does not support the wallet. */
  readonly applePay: (paymentRequest: unknown) => Promise<SquareWallet>;
  readonly googlePay: (paymentRequest: unknown) => Promise<SquareGooglePay>;
};

/** The server computes the charged amount and ignores this one. */
export type WalletRequest = {
  readonly countryCode: 'US';
  readonly currencyCode: 'USD';
  /** Decimal text: `125.00`. */
  readonly total: { readonly amount: string; readonly label: string };
  /** Name, email, phone and address come with the token. */
  readonly requestBillingContact: boolean;
  readonly requestShippingContact: boolean;
};

export type SquareWallet = {
  /** Opens the wallet, so it must be called during the press of a button. May also throw. */
  readonly tokenize: () => Promise<unknown>;
  readonly destroy?: () => Promise<unknown>;
};

export type SquareGooglePay = SquareWallet & {
  /** Clicks on Google's button bubble to the host. */
  readonly attach: (host: HTMLElement, options: GooglePayButton) => Promise<void>;
};

export type GooglePayButton = {
  readonly buttonColor: 'black';
  readonly buttonSizeMode: 'fill';
  readonly buttonType: 'long';
};

type CardFactory = (options: CardOptions) => Promise<SquareCard>;

export type CardOptions = {
  readonly includeInputLabels: boolean;
  readonly postalCode?: string;
  readonly style: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type SquareCard = {
  readonly attach: (host: HTMLElement) => Promise<void>;
  /** May also throw. */
  readonly tokenize: (details: VerificationDetails) => Promise<unknown>;
  readonly focus: (field: string) => Promise<unknown>;
  /** Enter in a field fires `submit`. */
  readonly addEventListener: (type: 'submit', listener: () => void) => unknown;
  readonly destroy: () => Promise<unknown>;
};

/** The bank may ask for verification. The server ignores this amount. */
export type VerificationDetails = {
  readonly amount: string;
  readonly currencyCode: 'USD';
  readonly intent: 'CHARGE';
  readonly billingContact: BillingContact;
  readonly customerInitiated: true;
  readonly sellerKeyedIn: false;
};

export type BillingContact = {
  readonly givenName?: string;
  readonly familyName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly addressLines?: readonly string[];
  readonly city?: string;
  readonly state?: string;
  readonly countryCode: 'US';
  readonly postalCode?: string;
};

declare global {
  interface Window {
    readonly Square?: SquareSdk;
  }
}

/** A content blocker may suppress the script without an `error` event. */
const loadTimeoutMilliseconds = 20_000;

const loads = new Map<string, Promise<SquareSdk | undefined>>();

/** Once per page. After a failure it resolves to undefined, and the next call tries again. */
export function loadSquare(scriptUrl: string): Promise<SquareSdk | undefined> {
  if (window.Square !== undefined) return Promise.resolve(window.Square);
  const running = loads.get(scriptUrl);
  if (running !== undefined) return running;
  const load = insertScript(scriptUrl).finally(() => loads.delete(scriptUrl));
  loads.set(scriptUrl, load);
  return load;
}

/** The server names the address, and `script-src` allows no other host. */
const scriptPolicy = createPolicy('kilim-square', { createScriptURL: (url) => url });

function insertScript(scriptUrl: string): Promise<SquareSdk | undefined> {
  const script = document.createElement('script');
  script.src = scriptPolicy.createScriptURL(scriptUrl);
  script.async = true;
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timeout);
      if (window.Square === undefined) script.remove();
      resolve(window.Square);
    };
    const timeout = setTimeout(settle, loadTimeoutMilliseconds);
    script.addEventListener('load', settle);
    script.addEventListener('error', settle);
    document.head.append(script);
  });
}
