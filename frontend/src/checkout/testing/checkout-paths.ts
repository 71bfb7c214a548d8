import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { CurrentOrder } from '../../shared/current-order.ts';
import { orderA } from '../../shared/testing/orders.ts';
import { type CheckoutEvent, checkoutMachine } from '../checkout-machine.ts';
import type { PaymentAttempt } from '../outcomes.ts';
import type { CardForm } from '../square-card.ts';

/**
 * What the specs of the checkout's paths share: what is paid, what may happen, and every way
 * through the machine.
 */

export const repricedA: CurrentOrder = { ...orderA, subtotal: 500, totalAmount: 500 };

/** Begun in another tab. */
export const attemptElsewhere: PaymentAttempt = {
  idempotencyKey: '0198c0de-elsewhere',
  orderId: orderA.orderId,
  startedAt: '2026-06-01T12:00:00Z',
};

/** The path stands for the form that the page makes. */
const form: CardForm = {
  read: () => Promise.reject(new Error('Nobody reads the form of a path')),
  focus: () => undefined,
  whenSubmitted: () => undefined,
};
const readHere: PaymentAttempt = { ...attemptElsewhere, idempotencyKey: '0198c0de-here' };

/**
 * What people do, what Square's form says, and what the server answers. Timers are left to the
 * specs of the machine.
 */
type PathEvent = Exclude<CheckoutEvent, { type: 'wallet.pressed' | 'card.dismissed' }>;

export type CheckoutState = SnapshotFrom<typeof checkoutMachine>;
export type CheckoutStep = { readonly event: PathEvent; readonly before: CheckoutState; readonly state: CheckoutState };

/** What can happen in a state: nobody answers who was not asked. */
function possibleIn(state: CheckoutState): PathEvent[] {
  return [...possibleWithCard(state), ...possibleWithPayment(state)];
}

function possibleWithCard(state: CheckoutState): PathEvent[] {
  if (state.matches({ card: 'loadingCard' })) {
    return [
      { type: 'form.shown', form },
      { type: 'form.failed', problem: { code: 'FormUnavailable' } },
    ];
  }
  return state.matches({ card: 'cardUnavailable' }) ? [{ type: 'form.retry' }] : [];
}

const outcomes: PathEvent[] = [
  { type: 'payment.captured', paymentId: 'f'.repeat(32) },
  { type: 'payment.declined', message: 'Your card was declined. Please try another card.' },
  { type: 'payment.unsure' },
];
const chargeAnswers: PathEvent[] = [
  ...outcomes,
  { type: 'payment.refused', message: 'This order has too many rugs.', isAboutCart: true },
  { type: 'payment.refused', message: 'There were too many payment attempts.', isAboutCart: false },
  { type: 'payment.repriced', order: repricedA },
];
const lookUpAnswers: PathEvent[] = [
  ...outcomes,
  { type: 'payment.voided' },
  { type: 'lookUp.unheard' },
  { type: 'lookUp.unreachable' },
];
const cardAnswers: PathEvent[] = [
  { type: 'card.read', token: 'cnon:ok', attempt: readHere },
  { type: 'card.invalid', fields: ['cvv'] },
  { type: 'card.verificationCanceled' },
  { type: 'card.unreadable' },
];

function possibleWithPayment(state: CheckoutState): PathEvent[] {
  if (state.matches({ payment: 'tokenizing' })) return cardAnswers;
  if (state.matches({ payment: { sent: 'charging' } })) return chargeAnswers;
  if (state.matches({ payment: { sent: { unsure: 'looking' } } })) return lookUpAnswers;
  if (state.matches({ payment: { sent: { unsure: 'waiting' } } })) return [{ type: 'check.pressed' }];
  if (state.matches({ payment: 'paid' })) return [];
  return [
    { type: 'pay.pressed', online: true },
    { type: 'pay.pressed', online: false },
    { type: 'attempt.begunElsewhere', attempt: attemptElsewhere },
    ...(state.context.notice?.code === 'Offline' ? [{ type: 'connection.restored' } as const] : []),
  ];
}

const start = { order: orderA, attempt: undefined };

/** The shortest way to every kind of state, without those that another way leads through. */
export function shortestPaths(): readonly (readonly CheckoutStep[])[] {
  const paths = getShortestPaths(checkoutMachine, {
    input: start,
    events: (state) => possibleIn(state as CheckoutState),
    serializeState: (state) => kindOf(state as CheckoutState),
    stopWhen: (state) => (state as CheckoutState).matches({ payment: 'paid' }),
  });
  const passed = new Set(
    paths.flatMap(({ steps }) => steps.slice(0, -1).map(({ state }) => kindOf(state as CheckoutState))),
  );
  return paths
    .filter(({ state }) => !passed.has(kindOf(state as CheckoutState)))
    .map(({ steps }) => walk(steps.slice(1).map(({ event }) => event as PathEvent)));
}

function walk(events: readonly PathEvent[]): readonly CheckoutStep[] {
  let [state] = initialTransition(checkoutMachine, start);
  return events.map((event) => {
    const before = state;
    [state] = transition(checkoutMachine, state, event);
    return { event, before, state };
  });
}

/** What sets states apart for people. */
function kindOf({ value, context }: CheckoutState): string {
  const { form: made, formProblem, notice, order, isElsewhere } = context;
  return JSON.stringify([value, made === undefined, formProblem, notice, order?.totalAmount, isElsewhere]);
}
