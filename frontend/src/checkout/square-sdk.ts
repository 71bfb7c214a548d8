/**
 * The part of Square's Web Payments SDK that we use. What it answers is not believed
 * but parsed: see `square-card.ts`.
 */
export type SquareSdk = {
  /** Throws on a wrong application id, on the wrong environment and outside a secure context. */
  readonly payments: (applicationId: string, locationId: string) => SquarePayments;
};

export type SquarePayments = {
  readonly card: CardFactory;
  readonly paymentRequest: (request: WalletRequest) => unknown;
  /** Both reject where the device, the browser or the account has no such wallet. */
  readonly applePay: (paymentRequest: unknown) => Promise<SquareWallet>;
  readonly googlePay: (paymentRequest: unknown) => Promise<SquareGooglePay>;
};

/** What the wallet shows of the order. The server charges its own amount, never this one. */
export type WalletRequest = {
  readonly countryCode: 'US';
  readonly currencyCode: 'USD';
  /** `amount` is decimal text, `125.00`. */
  readonly total: { readonly amount: string; readonly label: string };
};

export type SquareWallet = {
  /** Opens the wallet, so it has to be called within the press of a button. May also throw. */
  readonly tokenize: () => Promise<unknown>;
  readonly destroy?: () => Promise<unknown>;
};

export type SquareGooglePay = SquareWallet & {
  /** Puts Google's own button into the host, which hears its presses. */
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
  /** Fills the field in advance. */
  readonly postalCode?: string;
  readonly style: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type SquareCard = {
  readonly attach: (host: HTMLElement) => Promise<void>;
  /** May also throw. */
  readonly tokenize: (details: VerificationDetails) => Promise<unknown>;
  readonly focus: (field: string) => Promise<unknown>;
  /** `submit` is Enter, pressed in one of the fields. */
  readonly addEventListener: (type: 'submit', listener: () => void) => unknown;
  readonly destroy: () => Promise<unknown>;
};

/**
 * What the card's bank is told, so that it can ask the buyer to verify. The server charges its own
 * amount, never this one.
 */
export type VerificationDetails = {
  /** Decimal text, `125.00`. */
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

/**
 * A script that neither loads nor fails is given up after this long: a blocker may swallow it
 * without a word.
 */
const loadTimeoutMilliseconds = 20_000;

const loads = new Map<string, Promise<SquareSdk | undefined>>();

/**
 * Square's script, loaded once per page. A failed load answers undefined and is forgotten, tag and
 * all, so that the next call tries again.
 */
export function loadSquare(scriptUrl: string): Promise<SquareSdk | undefined> {
  if (window.Square !== undefined) return Promise.resolve(window.Square);
  const running = loads.get(scriptUrl);
  if (running !== undefined) return running;
  const load = insertScript(scriptUrl).finally(() => loads.delete(scriptUrl));
  loads.set(scriptUrl, load);
  return load;
}

function insertScript(scriptUrl: string): Promise<SquareSdk | undefined> {
  const script = document.createElement('script');
  script.src = scriptUrl;
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
