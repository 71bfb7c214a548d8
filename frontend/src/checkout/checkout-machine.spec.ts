import { describe, expect, test } from 'vitest';
import type { CardReader } from './square-card.ts';
import {
  attemptA,
  attemptB,
  chargingCheckout,
  form,
  openCheckout,
  order,
  readA,
  readB,
  readyCheckout,
  repricedOrder,
  settled,
} from './testing/opened-checkout.ts';

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
