// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CardReader } from './square-card.ts';
import type { VerificationDetails } from './square-sdk.ts';
import { mountWallets, type WalletName, type WalletSetup } from './wallets.ts';

const setup: WalletSetup = {
  applicationId: 'sandbox-sq0idb-test',
  locationId: 'L1',
  scriptUrl: 'https://square.example/square.js',
  request: {
    countryCode: 'US',
    currencyCode: 'USD',
    total: { amount: '476.00', label: 'Total' },
    requestBillingContact: false,
    requestShippingContact: false,
  },
  asked: undefined,
};
const details: VerificationDetails = {
  amount: '476.00',
  currencyCode: 'USD',
  intent: 'CHARGE',
  billingContact: { countryCode: 'US' },
  customerInitiated: true,
  sellerKeyedIn: false,
};

const unsupported = () => Promise.reject(new Error('PaymentMethodUnsupportedError'));
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

function makeWallet(tokenize: () => Promise<unknown> = async () => ({ status: 'OK', token: 'cnon:wallet' })) {
  return {
    tokenize: vi.fn(tokenize),
    destroy: vi.fn(async () => true),
    attach: vi.fn(async (host: HTMLElement) => void host.append(document.createElement('button'))),
  };
}

const paymentRequest = vi.fn((request: unknown) => request);

function onDevice(wallets: { readonly applePay?: () => unknown; readonly googlePay?: () => unknown }) {
  const payments = () => ({ paymentRequest, applePay: unsupported, googlePay: unsupported, ...wallets });
  vi.stubGlobal('Square', { payments });
}

const parent = document.createElement('div');
let offered: Map<WalletName, CardReader>;
let pressed: CardReader[];
let isSettled: boolean;
const removes: (() => void)[] = [];

async function mount() {
  const remove = mountWallets(parent, setup, {
    onOffered: (name, wallet) => offered.set(name, wallet),
    onGooglePay: (wallet) => pressed.push(wallet),
    onSettled: () => {
      isSettled = true;
    },
  });
  removes.push(remove);
  await settled();
  return remove;
}

beforeEach(() => {
  offered = new Map();
  pressed = [];
  isSettled = false;
});

afterEach(async () => {
  for (const remove of removes.splice(0)) remove();
  await settled();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test('on a device without wallets, none is offered', async () => {
  onDevice({});
  await mount();
  expect([...offered.keys()]).toEqual([]);
  expect(isSettled).toBe(true);
});

test('each available wallet is offered with the order’s total, even if the other is unavailable', async () => {
  onDevice({ applePay: async () => makeWallet() });
  await mount();
  expect([...offered.keys()]).toEqual(['applePay']);
  expect(paymentRequest).toHaveBeenCalledWith(setup.request);
  onDevice({ googlePay: async () => makeWallet() });
  await mount();
  expect([...offered.keys()]).toEqual(['applePay', 'googlePay']);
  expect(isSettled).toBe(true);
});

test('if Square’s script is missing or throws, no wallet is offered', async () => {
  vi.stubGlobal('Square', undefined);
  await mount();
  vi.stubGlobal('Square', {
    payments: () => {
      throw new Error('ApplicationIdEnvironmentMismatchError');
    },
  });
  await mount();
  expect([...offered.keys()]).toEqual([]);
});

test('Google’s button is offered after it is attached, and its presses are reported', async () => {
  const wallet = makeWallet();
  onDevice({ googlePay: async () => wallet });
  await mount();
  parent.querySelector('button')?.click();
  expect(pressed).toEqual([offered.get('googlePay')]);
});

test('a button that cannot be attached is not offered', async () => {
  const wallet = { ...makeWallet(), attach: () => Promise.reject(new Error('No room')) };
  onDevice({ googlePay: async () => wallet });
  await mount();
  expect([...offered.keys()]).toEqual([]);
});

test.each([
  [
    { status: 'OK', token: 'cnon:wallet' },
    { kind: 'token', token: 'cnon:wallet' },
  ],
  [{ status: 'Cancel' }, { kind: 'dismissed' }],
  [{ status: 'Abort' }, { kind: 'dismissed' }],
  [{ status: 'Error', errors: [{ message: 'x' }] }, { kind: 'failed' }],
  [undefined, { kind: 'failed' }],
])('%o is parsed as %o', async (answer, reading) => {
  onDevice({ applePay: async () => makeWallet(async () => answer) });
  await mount();
  expect(await offered.get('applePay')?.read(details)).toEqual(reading);
});

test('a wallet that throws counts as failed', async () => {
  onDevice({ applePay: async () => makeWallet(() => Promise.reject(new Error('TokenizationError'))) });
  await mount();
  expect(await offered.get('applePay')?.read(details)).toEqual({ kind: 'failed' });
});

test('removing destroys the wallets, even those that are still being created', async () => {
  const wallet = makeWallet();
  onDevice({ googlePay: async () => wallet });
  const remove = await mount();
  remove();
  await settled();
  expect(wallet.destroy).toHaveBeenCalledTimes(1);
  expect(parent.children).toHaveLength(0);

  const late = makeWallet();
  onDevice({ applePay: async () => late });
  offered.clear();
  const listeners = { onOffered: offered.set.bind(offered), onGooglePay: () => {}, onSettled: () => {} };
  mountWallets(parent, setup, listeners)();
  await settled();
  expect(late.destroy).toHaveBeenCalledTimes(1);
  expect([...offered.keys()]).toEqual([]);
});
