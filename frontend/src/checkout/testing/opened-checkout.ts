import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { cents } from '@kilim/domain/money';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { orderA } from '../../shared/testing/orders.ts';
import { type ChargeInput, checkoutMachine, type LookUpInput, type ReadCardInput } from '../checkout-machine.ts';
import type { CardEvent, ChargeEvent, LookUpEvent, PaymentAttempt } from '../outcomes.ts';
import type { CardForm } from '../square-card.ts';

export const order: CurrentOrder = { ...orderA, orderId: '0193-order-a' };
export const repricedOrder: CurrentOrder = {
  ...order,
  orderId: '0193-order-b',
  subtotal: cents(50_000),
  totalAmount: cents(50_000),
};

export const attemptA: PaymentAttempt = {
  idempotencyKey: 'key-a',
  orderId: order.orderId,
  startedAt: '2026-01-05T12:00:00Z',
};
export const attemptB: PaymentAttempt = { ...attemptA, idempotencyKey: 'key-b' };
export const readA = { type: 'card.read', token: 'cnon:a', attempt: attemptA, order } as const satisfies CardEvent;
export const readB = { type: 'card.read', token: 'cnon:b', attempt: attemptB, order } as const satisfies CardEvent;

export const form: CardForm = {
  read: () => Promise.reject(new Error('The specs answer for the card')),
  focus: () => undefined,
  whenSubmitted: () => undefined,
};

// Shared by the machine's specs, which answer its calls.

export type Call<Input, Output> = {
  readonly input: Input;
  readonly answer: (output: Output) => Promise<void>;
  readonly fail: () => Promise<void>;
};

export const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export function openCheckout(
  input: { readonly order?: CurrentOrder | undefined; readonly attempt?: PaymentAttempt } = { order },
) {
  const reads: Call<ReadCardInput, CardEvent>[] = [];
  const charges: Call<ChargeInput, ChargeEvent>[] = [];
  const lookUps: Call<LookUpInput, LookUpEvent>[] = [];
  const effects: string[] = [];

  function recorded<Input, Output>(name: string, calls: Call<Input, Output>[]) {
    return fromPromise<Output, Input>(({ input }) => {
      effects.push(name);
      return new Promise((resolve, reject) => {
        calls.push({
          input,
          answer: (output) => {
            resolve(output);
            return settled();
          },
          fail: () => {
            reject(new Error('cut off'));
            return settled();
          },
        });
      });
    });
  }

  const clock = new SimulatedClock();
  const checkout = createActor(
    checkoutMachine.provide({
      actors: {
        readCard: recorded('read card', reads),
        charge: recorded('charge', charges),
        lookUp: recorded('look up', lookUps),
      },
      actions: {
        remember: (_, { idempotencyKey }) => effects.push(`remember ${idempotencyKey}`),
        forget: (_, { idempotencyKey }) => effects.push(`forget ${idempotencyKey}`),
        keepOrder: (_, { order, shownTotal }) =>
          effects.push(`keep order of ${order.totalAmount}, shown ${shownTotal}`),
        announceFailure: (_, { message }) => effects.push(`announce ${message}`),
      },
    }),
    { clock, input: { order: input.order, attempt: input.attempt } },
  );
  checkout.start();

  const last = <Item>(items: readonly Item[]): Item => {
    const item = items.at(-1);
    if (item === undefined) throw new Error('Nothing was asked');
    return item;
  };
  const pay = (online = true) => checkout.send({ type: 'pay.pressed', online });
  return {
    checkout,
    clock,
    effects,
    reads,
    charges,
    lookUps,
    payment: () => checkout.getSnapshot().value.payment,
    card: () => checkout.getSnapshot().value.card,
    context: () => checkout.getSnapshot().context,
    pay,
    showForm: () => checkout.send({ type: 'form.shown', form }),
    lastRead: () => last(reads),
    lastCharge: () => last(charges),
    lastLookUp: () => last(lookUps),
    async payWith(read: CardEvent) {
      pay();
      await last(reads).answer(read);
    },
    wait: (milliseconds: number) => {
      clock.increment(milliseconds);
      return settled();
    },
  };
}

export function readyCheckout() {
  const opened = openCheckout();
  opened.showForm();
  return opened;
}

export async function chargingCheckout() {
  const opened = readyCheckout();
  await opened.payWith(readA);
  return opened;
}

/** The request was sent and its answer was lost. */
export async function unsureCheckout() {
  const opened = await chargingCheckout();
  await opened.lastCharge().fail();
  return opened;
}
