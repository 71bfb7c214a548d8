import { type PaymentAttemptAnswer, priceChanged } from '@kilim/bff/contract/payment';
// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { localStore, sessionStore } from '../shared/storage.ts';
import { saveCurrentOrder } from '../shared/stored-order.ts';
import { orderA } from '../shared/testing/orders.ts';
import { renderPages } from '../shared/testing/render-pages.tsx';
import { dismissToast } from '../shared/toast/toast-store.ts';
import { CheckoutPage } from './checkout-page.tsx';
import type { Notice, PaymentAttempt } from './outcomes.ts';
import {
  attemptElsewhere,
  type CheckoutState,
  type CheckoutStep,
  repricedA,
  shortestPaths,
} from './testing/checkout-paths.ts';
import { checkoutTexts } from './texts.ts';

// Each path through the machine runs in the rendered page. After each step the test compares the page, the sent
// requests and the stored attempt.

// happy-dom has no style sheets, so the check would be useless and slow.
const person = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });

type Waiting<Answer> = { readonly answer: (answer: Answer) => void; readonly fail: () => void };

function asked<Answer>(questions: Waiting<Answer>[]): Promise<Answer> {
  return new Promise((answer, fail) => questions.push({ answer, fail: () => fail(new TypeError('Failed')) }));
}

async function next<Answer>(questions: Waiting<Answer>[]): Promise<Waiting<Answer>> {
  await waitFor(() => expect(questions).not.toHaveLength(0));
  const [question] = questions.splice(0, 1);
  if (question === undefined) throw new Error('Nothing was asked');
  return question;
}

let forms: Waiting<object>[] = [];
let readings: Waiting<object>[] = [];
let payments: Waiting<Response>[] = [];
let lookUps: Waiting<Response>[] = [];
/** Detects a double charge. */
let sentPayments = 0;
let isOnline = true;

beforeEach(() => {
  forms = [];
  readings = [];
  payments = [];
  lookUps = [];
  sentPayments = 0;
  isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  vi.stubGlobal('Square', { payments: () => square });
  vi.stubGlobal('fetch', (path: string) => {
    if (path.startsWith('/api/payment-attempts/')) return asked(lookUps);
    if (path !== '/api/process-payment') return Promise.resolve(Response.json({}));
    sentPayments += 1;
    return asked(payments);
  });
  window.history.replaceState(null, '', '/checkout');
});

afterEach(() => {
  cleanup();
  dismissToast();
  window.localStorage.clear();
  window.sessionStorage.clear();
  vi.unstubAllGlobals();
});

const noWallet = () => Promise.reject(new Error('This device has no wallet'));
const square = {
  card: () => asked(forms),
  paymentRequest: () => ({}),
  applePay: noWallet,
  googlePay: noWallet,
};
const card = {
  attach: () => Promise.resolve(),
  tokenize: () => asked(readings),
  focus: () => Promise.resolve(),
  addEventListener: () => undefined,
  destroy: () => Promise.resolve(),
};

const config = {
  business: { name: 'Kilim', phone: '(415) 555-0132' },
  square: {
    applicationId: 'sandbox-sq0idb-kilim',
    locationId: 'L1',
    environment: 'simulator',
    scriptUrl: '/square.js',
  },
};

async function openPage(): Promise<void> {
  saveCurrentOrder(orderA);
  renderPages(config, { '/checkout': CheckoutPage, '/payment-success': () => <h1>The receipt</h1> });
  await screen.findByRole('heading', { name: 'Complete Your Payment' });
}

const payButton = () => screen.getByRole('button', { name: /^Pay \$/ });

async function perform({ event, before }: CheckoutStep): Promise<void> {
  switch (event.type) {
    case 'form.shown':
      return (await next(forms)).answer(card);
    case 'form.failed':
      return (await next(forms)).fail();
    case 'form.retry':
      return person.click(screen.getByRole('button', { name: 'Try again' }));
    case 'pay.pressed':
      isOnline = event.online;
      return person.click(payButton());
    case 'card.read':
      return (await next(readings)).answer({ status: 'OK', token: event.token });
    case 'card.invalid':
      return (await next(readings)).answer({ status: 'Invalid', errors: event.fields.map((field) => ({ field })) });
    case 'card.verificationCanceled':
      return (await next(readings)).answer({ status: 'Cancel' });
    case 'card.unreadable':
      return (await next(readings)).fail();
    case 'attempt.begunElsewhere': {
      const newValue = JSON.stringify(event.attempt);
      localStore.write('paymentAttempt', newValue);
      window.dispatchEvent(new StorageEvent('storage', { key: 'paymentAttempt', newValue }));
      return;
    }
    case 'check.pressed':
      return person.click(screen.getByRole('button', { name: 'Check now' }));
    case 'connection.restored':
      isOnline = true;
      window.dispatchEvent(new Event('online'));
      return;
    default:
      return before.matches({ payment: { sent: 'charging' } }) ? answerCharge(event) : answerLookUp(event);
  }
}

type Answered = Extract<CheckoutStep['event'], { type: `payment.${string}` | `lookUp.${string}` }>;

async function answerCharge(event: Answered): Promise<void> {
  const { answer } = await next(payments);
  switch (event.type) {
    case 'payment.captured':
      return answer(Response.json({ success: true, paymentId: event.paymentId, orderId: orderA.orderId }));
    case 'payment.declined':
      return answer(
        Response.json({ success: false, code: 'GENERIC_DECLINE', message: event.message }, { status: 402 }),
      );
    case 'payment.refused': {
      const { message, isAboutCart } = event;
      return answer(Response.json({ code: 'Refused', message }, { status: isAboutCart ? 422 : 429 }));
    }
    case 'payment.repriced': {
      const refusal = { success: false, code: 'PriceChanged', message: 'Another price', quote: event.order } as const;
      return answer(Response.json(z.encode(priceChanged, refusal), { status: 409 }));
    }
    default: {
      const { idempotencyKey, orderId } = JSON.parse(sessionStore.read('paymentAttempt') ?? '{}') as PaymentAttempt;
      return answer(Response.json({ success: false, status: 'pending', orderId, idempotencyKey }, { status: 202 }));
    }
  }
}

const answerAttempt = (body: PaymentAttemptAnswer) => Response.json(body);

async function answerLookUp(event: Answered): Promise<void> {
  const { answer, fail } = await next(lookUps);
  switch (event.type) {
    case 'payment.captured':
      return answer(answerAttempt({ status: 'captured', orderId: orderA.orderId, paymentId: event.paymentId }));
    case 'payment.declined':
      return answer(
        answerAttempt({ status: 'declined', orderId: orderA.orderId, code: 'GENERIC_DECLINE', message: event.message }),
      );
    case 'payment.voided':
      return answer(
        answerAttempt({ status: 'voided', orderId: orderA.orderId, code: 'PaymentVoided', message: 'Cancelled' }),
      );
    case 'lookUp.unheard':
      return answer(Response.json({ code: 'NotFound', message: 'No such payment attempt.' }, { status: 404 }));
    case 'lookUp.unreachable':
      return fail();
    default:
      return answer(answerAttempt({ status: 'pending', orderId: orderA.orderId, message: '' }));
  }
}

async function expectPage(state: CheckoutState): Promise<void> {
  const { context } = state;
  if (state.matches({ payment: 'paid' })) {
    await screen.findByRole('heading', { name: 'The receipt' });
    expect(window.location.search).toContain(`payment_id=${context.paymentId}`);
    const paid = context.order?.totalAmount === repricedA.totalAmount ? 'amount=500' : 'amount=476';
    if (context.order !== undefined) expect(window.location.search.split('&')).toContain(paid);
    return;
  }
  const total = context.order?.totalAmount === repricedA.totalAmount ? '$500.00' : '$476.00';
  const isUnsure = state.matches({ payment: { sent: 'unsure' } });
  await waitFor(() => {
    expect(payButton().textContent).toBe(`Pay ${total}`);
    expect(payButton().getAttribute('aria-disabled') !== 'true').toBe(state.can({ type: 'pay.pressed', online: true }));
    expect(screen.queryByText(checkoutTexts.unsureTitle) !== null).toBe(isUnsure);
    expect(screen.queryByText(checkoutTexts.unsureElsewhere) !== null).toBe(isUnsure && context.isElsewhere);
    expect(shown(checkoutTexts.charging)).toBe(state.matches({ payment: { sent: 'charging' } }));
    expect(shown(checkoutTexts.readingCard)).toBe(state.matches({ payment: 'tokenizing' }));
    expect(shown(checkoutTexts.priceChangedTitle)).toBe(state.matches({ payment: 'priceChanged' }));
    expect(shown('Loading Checkout')).toBe(state.matches({ card: 'loadingCard' }));
    expect(shown(checkoutTexts.cardUnavailableTitle)).toBe(state.matches({ card: 'cardUnavailable' }));
    expect(noticesShown()).toEqual(context.notice === undefined ? [] : wordsOf(context.notice));
  });
}

function shown(text: string): boolean {
  return screen.queryByText(text) !== null;
}

/** Not those of a wallet, because these paths pay by card. */
type CardNotice = Exclude<Notice['code'], 'ContactIncomplete' | 'WalletSilent'>;

const titles = {
  CardInvalid: checkoutTexts.cardInvalidTitle,
  CardUnreadable: checkoutTexts.cardUnreadableTitle,
  VerificationCanceled: checkoutTexts.verificationCanceledTitle,
  Offline: checkoutTexts.offlineTitle,
  Declined: checkoutTexts.declinedTitle,
  Refused: checkoutTexts.refusedTitle,
  NothingCharged: checkoutTexts.nothingChargedTitle,
} satisfies Record<CardNotice, string>;

function noticesShown(): readonly string[] {
  const ways = screen.queryAllByRole('button', { name: checkoutTexts.backToCart });
  return [...Object.values(titles).filter(shown), ...ways.map(() => checkoutTexts.backToCart)];
}

function wordsOf(notice: Notice): readonly string[] {
  const isAboutCart = notice.code === 'Refused' && notice.isAboutCart;
  return [titles[notice.code as CardNotice], ...(isAboutCart ? [checkoutTexts.backToCart] : [])];
}

/** From before the request until its outcome is known. */
function expectStoredAttempt(state: CheckoutState): void {
  const isOpen = state.matches({ payment: 'sent' });
  expect(localStore.read('paymentAttempt') !== null).toBe(isOpen);
  if (state.context.isElsewhere && isOpen) {
    expect(JSON.parse(localStore.read('paymentAttempt') ?? '')).toEqual(attemptElsewhere);
  }
}

const paths = shortestPaths().map((steps) => ({
  name: steps
    .map(({ event }) => (event.type === 'pay.pressed' && !event.online ? 'pay.pressed offline' : event.type))
    .join(', '),
  steps,
}));

test('the paths reach every state and every notice', () => {
  const states = paths.flatMap(({ steps }) => steps.map(({ state }) => state));
  const values = new Set(states.map(({ value }) => JSON.stringify(value.payment)));
  expect(values).toEqual(
    new Set(
      [
        'ready',
        'tokenizing',
        { sent: 'charging' },
        { sent: { unsure: 'looking' } },
        { sent: { unsure: 'waiting' } },
        'priceChanged',
        'paid',
      ].map((value) => JSON.stringify(value)),
    ),
  );
  const notices = new Set(states.flatMap(({ context }) => context.notice?.code ?? []));
  expect(notices).toEqual(new Set(Object.keys(titles)));
});

test.each(paths)('$name', async ({ steps }) => {
  await openPage();
  for (const [index, step] of steps.entries()) {
    await perform(step);
    await expectPage(step.state);
    expectStoredAttempt(step.state);
    // Each token is sent exactly once.
    expect(sentPayments).toBe(steps.slice(0, index + 1).filter(({ event }) => event.type === 'card.read').length);
  }
});
