import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChargeInput, chargeLimitMilliseconds, lookUpDelaysMilliseconds } from './checkout-machine.ts';
import type { CardEvent, ChargeEvent, LookUpEvent } from './outcomes.ts';
import {
  attemptA,
  attemptB,
  type Call,
  chargingCheckout,
  form,
  openCheckout,
  order,
  readA,
  readB,
  readyCheckout,
  repricedOrder,
  settled,
  unsureCheckout,
} from './testing/opened-checkout.ts';

describe('an unknown outcome', () => {
  test.each([
    ['a lost answer', (call: Call<ChargeInput, ChargeEvent>) => call.fail()],
    ['a pending outcome', (call: Call<ChargeInput, ChargeEvent>) => call.answer({ type: 'payment.unsure' })],
  ])('%s is not a failure: the attempt stays remembered and is looked up', async (_, end) => {
    const { lastCharge, lastLookUp, payment, effects } = await chargingCheckout();
    await end(lastCharge());
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    expect(lastLookUp().input).toEqual({ idempotencyKey: 'key-a' });
    expect(effects).not.toContain('forget key-a');
  });

  test('a timeout makes the outcome unknown, and a later answer of the request is ignored', async () => {
    const { wait, lastCharge, payment } = await chargingCheckout();
    await wait(chargeLimitMilliseconds);
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    await lastCharge().answer({ type: 'payment.declined', message: 'Too late' });
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
  });

  test('another tab’s payment for this order is looked up by its own key', async () => {
    const { lastCharge, lastLookUp, effects, context } = await chargingCheckout();
    const inProgress = { idempotencyKey: 'key-of-other-tab', orderId: order.orderId };
    await lastCharge().answer({ type: 'payment.unsure', inProgress });
    expect(effects).toContain('remember key-of-other-tab');
    expect(context().isElsewhere).toBe(true);
    expect(lastLookUp().input).toEqual({ idempotencyKey: 'key-of-other-tab' });
  });

  test('a look-up that finds a capture completes the payment', async () => {
    const { lastLookUp, payment, context, effects, wait } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.unsure' });
    expect(payment()).toEqual({ sent: { unsure: 'waiting' } });
    await wait(lookUpDelaysMilliseconds[0]);
    await lastLookUp().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
    expect(context().paymentId).toBe('pay-1');
    expect(effects.at(-1)).toBe('forget key-a');
  });

  test('a look-up says whether the shop was told, until it finds an outcome', async () => {
    const { lastLookUp, context, wait } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.unsure', message: 'We know.' });
    expect(context().message).toBe('We know.');
    await wait(lookUpDelaysMilliseconds[0]);
    await lastLookUp().fail();
    expect(context().message).toBe('We know.');
    await wait(lookUpDelaysMilliseconds[1]);
    await lastLookUp().answer({ type: 'payment.voided' });
    expect(context().notice).toEqual({ code: 'NothingCharged' });
  });

  test('a look-up that finds a voided payment allows a new attempt with a new key', async () => {
    const { lastLookUp, lastCharge, payWith, payment, context } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.voided' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'NothingCharged' });
    await payWith(readB);
    expect(lastCharge().input.attempt).toEqual(attemptB);
  });

  test('a look-up that finds a decline shows it like any decline', async () => {
    const { lastLookUp, context, effects } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    expect(context().notice).toEqual({ code: 'Declined', message: 'Your card was declined.' });
    expect(effects).toContain('announce Your card was declined.');
  });

  test('an attempt that the server does not know for ten seconds counts as never arrived', async () => {
    const { lastLookUp, lookUps, payment, context, wait, effects } = await unsureCheckout();
    for (const delay of lookUpDelaysMilliseconds.slice(0, 5)) {
      await lastLookUp().answer({ type: 'lookUp.unheard' });
      expect(payment()).toEqual({ sent: { unsure: 'waiting' } });
      await wait(delay);
    }
    expect(lookUps).toHaveLength(6);
    expect(effects).not.toContain('forget key-a');
    await lastLookUp().answer({ type: 'lookUp.unheard' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'NothingCharged' });
    expect(effects.at(-1)).toBe('forget key-a');
  });

  test('an unreachable server does not count as one that does not know the attempt', async () => {
    const { lastLookUp, payment, wait } = await unsureCheckout();
    for (let look = 0; look < 30; look += 1) {
      if (look % 2 === 0) await lastLookUp().answer({ type: 'lookUp.unreachable' });
      else await lastLookUp().fail();
      expect(payment()).toEqual({ sent: { unsure: 'waiting' } });
      await wait(10_000);
    }
  });

  test('a pending answer restarts the count of look-ups with an unknown attempt', async () => {
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

  test('the delays between look-ups grow up to ten seconds', async () => {
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
    '%s starts a look-up immediately, but only one at a time',
    async (type) => {
      const { lastLookUp, lookUps, checkout } = await unsureCheckout();
      await lastLookUp().answer({ type: 'payment.unsure' });
      checkout.send({ type });
      checkout.send({ type });
      expect(lookUps).toHaveLength(2);
    },
  );

  test('keeps the card form with the typed data for another try', async () => {
    const { lastLookUp, card, context } = await unsureCheckout();
    await lastLookUp().answer({ type: 'payment.voided' });
    expect(card()).toBe('cardShown');
    expect(context().form).toBe(form);
  });
});

describe('opening with a remembered attempt', () => {
  test('looks it up before anything can be paid', async () => {
    const { payment, showForm, pay, lookUps, reads } = openCheckout({ order, attempt: attemptA });
    showForm();
    pay();
    await settled();
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    expect(lookUps.map(({ input }) => input.idempotencyKey)).toEqual(['key-a']);
    expect(reads).toHaveLength(0);
  });

  test('completes the payment if it was captured', async () => {
    const { lastLookUp, payment } = openCheckout({ order, attempt: attemptA });
    await lastLookUp().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
  });

  test('works without the order, which may be lost with the tab', async () => {
    const { lastLookUp, payment, pay, reads, showForm } = openCheckout({ attempt: attemptA });
    await lastLookUp().answer({ type: 'payment.voided' });
    showForm();
    pay();
    expect(payment()).toBe('ready');
    expect(reads).toHaveLength(0);
  });
});

test('stopping the machine, as on leaving the page, does not forget the attempt', async () => {
  const { checkout, effects } = await unsureCheckout();
  checkout.stop();
  expect(effects).not.toContain('forget key-a');
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

test('after any sequence of events, no card is charged while the outcome of an earlier attempt is unknown', async () => {
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
      // Every charge is preceded by `remember`, and the first attempt is forgotten before a second one.
      const money = walk.effects
        .filter((line) => /^(charge|remember|forget)/.test(line))
        .map((line) => line.split(' ')[0]);
      expect(money.join(' ')).toMatch(/^(remember charge forget ?)*(remember charge)?$/);
      expect(new Set(walk.charges.map(({ input }) => input.attempt.idempotencyKey)).size).toBe(walk.charges.length);
    }),
    { numRuns: 150, seed: 7 },
  );
});
