import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import type { CurrentOrder } from '../shared/current-order.ts';
import { orderA } from '../shared/testing/orders.ts';
import {
  type ChargeInput,
  chargeLimitMilliseconds,
  checkoutMachine,
  type LookUpInput,
  lookUpDelaysMilliseconds,
  type ReadCardInput,
} from './checkout-machine.ts';
import type { CardEvent, ChargeEvent, LookUpEvent, PaymentAttempt } from './outcomes.ts';
import type { CardForm, CardReader } from './square-card.ts';

const order: CurrentOrder = { ...orderA, orderId: '0193-order-a' };
const repricedOrder: CurrentOrder = { ...order, orderId: '0193-order-b', subtotal: 500, totalAmount: 500 };

const attemptA: PaymentAttempt = { idempotencyKey: 'key-a', orderId: order.orderId, startedAt: '2026-01-05T12:00:00Z' };
const attemptB: PaymentAttempt = { ...attemptA, idempotencyKey: 'key-b' };
const readA: CardEvent = { type: 'card.read', token: 'cnon:a', attempt: attemptA };
const readB: CardEvent = { type: 'card.read', token: 'cnon:b', attempt: attemptB };

const form: CardForm = {
  read: () => Promise.reject(new Error('The specs answer for the card')),
  focus: () => undefined,
  whenSubmitted: () => undefined,
};

/** One call of an actor: what it was asked, and how a spec answers it. */
type Call<Input, Output> = {
  readonly input: Input;
  readonly answer: (output: Output) => Promise<void>;
  readonly fail: () => Promise<void>;
};

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

function openCheckout(
  input: { readonly order?: CurrentOrder | undefined; readonly attempt?: PaymentAttempt } = { order },
) {
  const reads: Call<ReadCardInput, CardEvent>[] = [];
  const charges: Call<ChargeInput, ChargeEvent>[] = [];
  const lookUps: Call<LookUpInput, LookUpEvent>[] = [];
  /** Everything the checkout did outside of itself, in order. */
  const diary: string[] = [];

  function recorded<Input, Output>(name: string, calls: Call<Input, Output>[]) {
    return fromPromise<Output, Input>(({ input }) => {
      diary.push(name);
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
        remember: (_, { idempotencyKey }) => diary.push(`remember ${idempotencyKey}`),
        forget: (_, { idempotencyKey }) => diary.push(`forget ${idempotencyKey}`),
        keepOrder: (_, { totalAmount }) => diary.push(`keep order of ${totalAmount}`),
        announceFailure: (_, { message }) => diary.push(`announce ${message}`),
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
    diary,
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

function readyCheckout() {
  const opened = openCheckout();
  opened.showForm();
  return opened;
}

async function chargingCheckout() {
  const opened = readyCheckout();
  await opened.payWith(readA);
  return opened;
}

/** The request was sent, and its answer was lost. */
async function unsureCheckout() {
  const opened = await chargingCheckout();
  await opened.lastCharge().fail();
  return opened;
}

describe('the card form', () => {
  test('cannot pay before it is there', () => {
    const { pay, payment, card, reads } = openCheckout();
    pay();
    expect(card()).toBe('loadingCard');
    expect(payment()).toBe('ready');
    expect(reads).toHaveLength(0);
  });

  test('that failed can be asked for again, as another form', () => {
    const { checkout, card, context, showForm } = openCheckout();
    checkout.send({ type: 'form.failed', problem: { code: 'ScriptUnavailable' } });
    expect(card()).toBe('cardUnavailable');
    expect(context().formProblem).toEqual({ code: 'ScriptUnavailable' });

    checkout.send({ type: 'form.retry' });
    expect(card()).toBe('loadingCard');
    expect(context()).toMatchObject({ formProblem: undefined, formTries: 1 });

    showForm();
    expect(card()).toBe('cardShown');
  });

  test('that never comes is given up, and welcome when it comes late', async () => {
    const { card, wait, showForm } = openCheckout();
    await wait(30_000);
    expect(card()).toBe('cardUnavailable');
    showForm();
    expect(card()).toBe('cardShown');
  });
});

describe('reading the card', () => {
  test.each([
    [{ type: 'card.invalid', fields: ['cvv'] } as const, { code: 'CardInvalid', fields: ['cvv'] }],
    [{ type: 'card.verificationCanceled' } as const, { code: 'VerificationCanceled' }],
  ])('%o sends nothing and says so', async (read, notice) => {
    const { payWith, payment, context, diary } = readyCheckout();
    await payWith(read);
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual(notice);
    expect(diary).toEqual(['read card']);
  });

  const unexpected = 'announce An unexpected error occurred during payment processing';

  test('a card that Square cannot read sends nothing, and is announced', async () => {
    const { payWith, payment, context, diary } = readyCheckout();
    await payWith({ type: 'card.unreadable' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'CardUnreadable' });
    expect(diary).toEqual(['read card', unexpected]);
  });

  test('a reading that breaks or never ends sends nothing', async () => {
    const broken = readyCheckout();
    broken.pay();
    await broken.lastRead().fail();
    expect(broken.context().notice).toEqual({ code: 'CardUnreadable' });
    expect(broken.diary).toEqual(['read card', unexpected]);

    const endless = readyCheckout();
    endless.pay();
    await endless.wait(5 * 60_000);
    await endless.lastRead().answer(readA);
    expect(endless.payment()).toBe('ready');
    expect(endless.charges).toHaveLength(0);
  });

  test('offline, Pay sends nothing now and nothing later', async () => {
    const { pay, payment, context, checkout, reads } = readyCheckout();
    pay(false);
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'Offline' });

    checkout.send({ type: 'connection.restored' });
    await settled();
    expect(context().notice).toBeUndefined();
    expect(reads).toHaveLength(0);
  });

  test('the notice of the last try goes when the next one begins', async () => {
    const { payWith, pay, context } = readyCheckout();
    await payWith({ type: 'card.unreadable' });
    pay();
    expect(context().notice).toBeUndefined();
  });
});

describe('a wallet', () => {
  const wallet: CardReader = { read: () => Promise.reject(new Error('The specs answer for the wallet')) };
  const press = (opened: ReturnType<typeof openCheckout>, online = true) =>
    opened.checkout.send({ type: 'wallet.pressed', online, wallet });

  test('is asked within the press, and its token takes the path of a card’s', async () => {
    const opened = readyCheckout();
    press(opened);
    // A wallet opens only while its button is being pressed, so nothing may be waited for.
    expect(opened.lastRead().input).toEqual({ reader: wallet, order });
    await opened.lastRead().answer(readA);
    expect(opened.diary).toEqual(['read card', 'remember key-a', 'charge']);
    expect(opened.lastCharge().input).toEqual({ token: 'cnon:a', attempt: attemptA, order });
  });

  test('that the customer closes leaves the checkout as it was, without a word', async () => {
    const opened = readyCheckout();
    press(opened);
    await opened.lastRead().answer({ type: 'card.dismissed' });
    expect(opened.payment()).toBe('ready');
    expect(opened.context().notice).toBeUndefined();
    expect(opened.diary).toEqual(['read card']);
  });

  test('works while the card form does not', () => {
    const opened = openCheckout();
    opened.checkout.send({ type: 'form.failed', problem: { code: 'FormUnavailable' } });
    press(opened);
    expect(opened.payment()).toBe('tokenizing');
  });

  test('is not asked offline, while another payment is under way, or without an order', async () => {
    const offline = readyCheckout();
    press(offline, false);
    expect(offline.context().notice).toEqual({ code: 'Offline' });
    const charging = await chargingCheckout();
    press(charging);
    await charging.lastCharge().fail();
    press(charging);
    expect(charging.reads).toHaveLength(1);
    const orderless = openCheckout({});
    press(orderless);
    expect([...offline.reads, ...orderless.reads]).toHaveLength(0);
  });

  test('after a decline by wallet, Pay reads the card form again', async () => {
    const opened = readyCheckout();
    press(opened);
    await opened.lastRead().answer(readA);
    await opened.lastCharge().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    opened.pay();
    expect(opened.lastRead().input.reader).toBe(form);
  });
});

describe('a payment that another tab begins', () => {
  test('of the same order is waited for instead of paying twice', async () => {
    const { checkout, payment, context, lastLookUp, diary, pay, reads } = readyCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: attemptB });
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    expect(context().isElsewhere).toBe(true);
    expect(lastLookUp().input).toEqual({ idempotencyKey: 'key-b' });
    pay();
    expect(reads).toHaveLength(0);
    await lastLookUp().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
    expect(diary).toEqual(['look up', 'forget key-b']);
  });

  test('and that is declined there can be paid here', async () => {
    const { checkout, lastLookUp, payWith, charges, context } = readyCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: attemptB });
    await lastLookUp().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    await payWith(readA);
    expect(charges).toHaveLength(1);
    expect(context().isElsewhere).toBe(false);
  });

  test('of another order is none of this tab’s business', () => {
    const { checkout, payment } = readyCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: { ...attemptB, orderId: '0193-order-b' } });
    expect(payment()).toBe('ready');
  });

  test('does not disturb a payment of its own', async () => {
    const { checkout, payment, context } = await chargingCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: attemptB });
    expect(payment()).toEqual({ sent: 'charging' });
    expect(context().attempt).toEqual(attemptA);
  });
});

describe('charging', () => {
  test('the attempt is remembered before the request is sent', async () => {
    const { diary, lastCharge } = await chargingCheckout();
    expect(diary).toEqual(['read card', 'remember key-a', 'charge']);
    expect(lastCharge().input).toEqual({ token: 'cnon:a', attempt: attemptA, order });
  });

  test('a second press, at any moment, reads no card and sends no request', async () => {
    const { pay, lastRead, lastCharge, reads, charges } = readyCheckout();
    pay();
    pay();
    await lastRead().answer(readA);
    pay();
    await lastCharge().fail();
    pay();
    expect(reads).toHaveLength(1);
    expect(charges).toHaveLength(1);
  });

  test('captured is paid, and nothing is left to ask after', async () => {
    const { lastCharge, payment, context, diary } = await chargingCheckout();
    await lastCharge().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
    expect(context()).toMatchObject({ paymentId: 'pay-1', token: undefined });
    expect(diary.at(-1)).toBe('forget key-a');
  });

  test('a decline says why, and another card pays the same order under a new key', async () => {
    const { lastCharge, payWith, payment, context, diary, charges } = await chargingCheckout();
    await lastCharge().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'Declined', message: 'Your card was declined.' });
    expect(diary.slice(-2)).toEqual(['forget key-a', 'announce Your card was declined.']);

    await payWith(readB);
    expect(charges.map(({ input }) => input.attempt.idempotencyKey)).toEqual(['key-a', 'key-b']);
    expect(charges.map(({ input }) => input.token)).toEqual(['cnon:a', 'cnon:b']);
    expect(lastCharge().input.order.orderId).toBe(order.orderId);
  });

  test('a refused request charged nothing: it is told, and forgotten', async () => {
    const { lastCharge, payment, context, diary } = await chargingCheckout();
    await lastCharge().answer({
      type: 'payment.refused',
      message: 'Please review your cart again.',
      isAboutCart: true,
    });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({
      code: 'Refused',
      message: 'Please review your cart again.',
      isAboutCart: true,
    });
    expect(diary).toContain('forget key-a');
  });

  test('a new price replaces the order, and is charged only after Pay is pressed on it', async () => {
    const { lastCharge, payment, context, diary, payWith, charges } = await chargingCheckout();
    await lastCharge().answer({ type: 'payment.repriced', order: repricedOrder });
    expect(payment()).toBe('priceChanged');
    expect(context()).toMatchObject({ previousOrder: order, order: repricedOrder, attempt: undefined });
    expect(diary.slice(-2)).toEqual(['forget key-a', 'keep order of 500']);
    expect(charges).toHaveLength(1);

    await payWith(readB);
    expect(lastCharge().input).toMatchObject({ order: repricedOrder, attempt: attemptB });
  });
});

describe('an unknown outcome', () => {
  test.each([
    ['a lost answer', (call: Call<ChargeInput, ChargeEvent>) => call.fail()],
    [
      'an answer that nobody knows yet',
      (call: Call<ChargeInput, ChargeEvent>) => call.answer({ type: 'payment.unsure' }),
    ],
  ])('%s is never a failure: the attempt stays remembered and is asked after', async (_, end) => {
    const { lastCharge, lastLookUp, payment, diary } = await chargingCheckout();
    await end(lastCharge());
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    expect(lastLookUp().input).toEqual({ idempotencyKey: 'key-a' });
    expect(diary).not.toContain('forget key-a');
  });

  test('no answer in time is unsure, and an answer after that changes nothing', async () => {
    const { wait, lastCharge, payment } = await chargingCheckout();
    await wait(chargeLimitMilliseconds);
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    await lastCharge().answer({ type: 'payment.declined', message: 'Too late' });
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
  });

  test('the payment of another tab for this order is asked after, under its own key', async () => {
    const { lastCharge, lastLookUp, diary, context } = await chargingCheckout();
    const inProgress = { idempotencyKey: 'key-of-other-tab', orderId: order.orderId };
    await lastCharge().answer({ type: 'payment.unsure', inProgress });
    expect(diary).toContain('remember key-of-other-tab');
    expect(context().isElsewhere).toBe(true);
    expect(lastLookUp().input).toEqual({ idempotencyKey: 'key-of-other-tab' });
  });

  test('captured after all is paid', async () => {
    const { lastLookUp, payment, context, diary, wait } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.unsure' });
    expect(payment()).toEqual({ sent: { unsure: 'waiting' } });
    await wait(lookUpDelaysMilliseconds[0]);
    await lastLookUp().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
    expect(context().paymentId).toBe('pay-1');
    expect(diary.at(-1)).toBe('forget key-a');
  });

  test('voided after all: nothing was charged, and a new attempt has a new key', async () => {
    const { lastLookUp, lastCharge, payWith, payment, context } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.voided' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'NothingCharged' });
    await payWith(readB);
    expect(lastCharge().input.attempt).toEqual(attemptB);
  });

  test('declined after all is told like any decline', async () => {
    const { lastLookUp, context, diary } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    expect(context().notice).toEqual({ code: 'Declined', message: 'Your card was declined.' });
    expect(diary).toContain('announce Your card was declined.');
  });

  test('an attempt that the server has not heard of in ten seconds never arrived', async () => {
    const { lastLookUp, lookUps, payment, context, wait, diary } = await unsureCheckout();
    for (const delay of lookUpDelaysMilliseconds.slice(0, 5)) {
      await lastLookUp().answer({ type: 'lookUp.unheard' });
      expect(payment()).toEqual({ sent: { unsure: 'waiting' } });
      await wait(delay);
    }
    expect(lookUps).toHaveLength(6);
    expect(diary).not.toContain('forget key-a');
    await lastLookUp().answer({ type: 'lookUp.unheard' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'NothingCharged' });
    expect(diary.at(-1)).toBe('forget key-a');
  });

  test('a server that cannot be reached is not a server that has not heard', async () => {
    const { lastLookUp, payment, wait } = await unsureCheckout();
    for (let look = 0; look < 30; look += 1) {
      if (look % 2 === 0) await lastLookUp().answer({ type: 'lookUp.unreachable' });
      else await lastLookUp().fail();
      expect(payment()).toEqual({ sent: { unsure: 'waiting' } });
      await wait(10_000);
    }
  });

  test('once the server has heard of it, a silent moment does not end it', async () => {
    const { lastLookUp, payment, wait } = await unsureCheckout();
    for (let round = 0; round < 3; round += 1) {
      for (let look = 0; look < 5; look += 1) {
        await lastLookUp().answer({ type: 'lookUp.unheard' });
        await wait(10_000);
      }
      await lastLookUp().answer({ type: 'payment.unsure' });
      await wait(10_000);
    }
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
  });

  test('the waits grow up to ten seconds', async () => {
    const { lastLookUp, lookUps, wait } = await unsureCheckout();
    for (const delay of [...lookUpDelaysMilliseconds, 10_000, 10_000]) {
      const before = lookUps.length;
      await lastLookUp().answer({ type: 'payment.unsure' });
      await wait(delay - 1);
      expect(lookUps).toHaveLength(before);
      await wait(1);
      expect(lookUps).toHaveLength(before + 1);
    }
  });

  test.each(['check.pressed', 'connection.restored'] as const)(
    '%s asks at once, and only one question at a time',
    async (type) => {
      const { lastLookUp, lookUps, checkout } = await unsureCheckout();
      await lastLookUp().answer({ type: 'payment.unsure' });
      checkout.send({ type });
      checkout.send({ type });
      expect(lookUps).toHaveLength(2);
    },
  );

  test('keeps the card form: what was typed is there when another try is possible', async () => {
    const { lastLookUp, card, context } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.voided' });
    expect(card()).toBe('cardShown');
    expect(context().form).toBe(form);
  });
});

describe('opening with a remembered attempt', () => {
  test('asks after it before anything can be paid', async () => {
    const { payment, showForm, pay, lookUps, reads } = openCheckout({ order, attempt: attemptA });
    showForm();
    pay();
    await settled();
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    expect(lookUps.map(({ input }) => input.idempotencyKey)).toEqual(['key-a']);
    expect(reads).toHaveLength(0);
  });

  test('finds it captured, and is paid', async () => {
    const { lastLookUp, payment } = openCheckout({ order, attempt: attemptA });
    await lastLookUp().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
  });

  test('works without the order, which was lost with the rest of the tab', async () => {
    const { lastLookUp, payment, pay, reads, showForm } = openCheckout({ attempt: attemptA });
    await lastLookUp().answer({ type: 'payment.voided' });
    showForm();
    pay();
    expect(payment()).toBe('ready');
    expect(reads).toHaveLength(0);
  });
});

test('stopping the checkout, as leaving the page does, forgets nothing', async () => {
  const { checkout, diary } = await unsureCheckout();
  checkout.stop();
  expect(diary).not.toContain('forget key-a');
});

const knownOutcomes: readonly ChargeEvent[] = [
  { type: 'payment.captured', paymentId: 'pay-1' },
  { type: 'payment.declined', message: 'Your card was declined.' },
  {
    type: 'payment.refused',
    message: 'Please review your cart again.',
    isAboutCart: true,
  },
  { type: 'payment.voided' },
  { type: 'payment.repriced', order: repricedOrder },
];
const stepNames = ['pay', 'read', 'known', 'unsure', 'lost', 'unheard', 'unreachable', 'wait', 'check'] as const;

test('whatever happens, in any order, no card is charged while the outcome of an earlier attempt is unknown', async () => {
  const step = fc.tuple(fc.constantFrom(...stepNames), fc.constantFrom(...knownOutcomes));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const walk = readyCheckout();
      let keys = 0;
      const nextRead = (): CardEvent => ({ ...readA, attempt: { ...attemptA, idempotencyKey: `key-${++keys}` } });
      const lookUp = (event: LookUpEvent) => walk.lookUps.at(-1)?.answer(event);
      for (const [name, outcome] of steps) {
        const isCharging = walk.checkout.getSnapshot().matches({ payment: { sent: 'charging' } });
        if (name === 'pay') walk.pay();
        if (name === 'read') await walk.reads.at(-1)?.answer(nextRead());
        if (name === 'known') await (isCharging ? walk.lastCharge().answer(outcome) : lookUp(outcome));
        if (name === 'unsure') await (isCharging ? walk.lastCharge().answer({ type: 'payment.unsure' }) : undefined);
        if (name === 'lost') await walk.charges.at(-1)?.fail();
        if (name === 'unheard') await lookUp({ type: 'lookUp.unheard' });
        if (name === 'unreachable') await lookUp({ type: 'lookUp.unreachable' });
        if (name === 'wait') await walk.wait(10_000);
        if (name === 'check') walk.checkout.send({ type: 'check.pressed' });
      }
      // Between two charges stands what ended the first one; every charge was remembered before it was sent.
      const money = walk.diary
        .filter((line) => /^(charge|remember|forget)/.test(line))
        .map((line) => line.split(' ')[0]);
      expect(money.join(' ')).toMatch(/^(remember charge forget ?)*(remember charge)?$/);
      expect(new Set(walk.charges.map(({ input }) => input.attempt.idempotencyKey)).size).toBe(walk.charges.length);
    }),
    { numRuns: 150, seed: 7 },
  );
});
