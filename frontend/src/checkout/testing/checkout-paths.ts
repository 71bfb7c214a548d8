import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { cents } from '@kilim/domain/money';
import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { orderA } from '../../shared/testing/orders.ts';
import { type CheckoutEvent, checkoutMachine } from '../checkout-machine.ts';
import type { PaymentAttempt } from '../outcomes.ts';
import type { CardForm } from '../square-card.ts';

/** Shared by the specs of the checkout's paths. */

export const repricedA: CurrentOrder = { ...orderA, subtotal: cents(50_000), totalAmount: cents(50_000) };

export const attemptElsewhere: PaymentAttempt = {
  idempotencyKey: '0198c0de-elsewhere',
  orderId: orderA.orderId,
  startedAt: '2026-06-01T12:00:00Z',
};

const form: CardForm = {
  read: () => Promise.reject(new Error('The paths do not read this form')),
  focus: () => undefined,
  whenSubmitted: () => undefined,
};
const readHere: PaymentAttempt = { ...attemptElsewhere, idempotencyKey: '0198c0de-here' };

/** The specs of the machine test the timers. */
type PathEvent = Exclude<
  CheckoutEvent,
  { type: 'wallet.pressed' | 'wallet.left' | 'card.dismissed' | 'card.contactIncomplete' }
>;

export type CheckoutState = SnapshotFrom<typeof checkoutMachine>;
export type CheckoutStep = { readonly event: PathEvent; readonly before: CheckoutState; readonly state: CheckoutState };

/** Only pending calls are answered. */
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
  { type: 'card.read', token: 'cnon:ok', attempt: readHere, order: orderA },
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

/** The shortest path to each kind of state, without paths that start another one. */
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

function kindOf({ value, context }: CheckoutState): string {
  const { form: made, formProblem, notice, order, isElsewhere } = context;
  return JSON.stringify([value, made === undefined, formProblem, notice, order?.totalAmount, isElsewhere]);
}
