import { emptyContact } from '@kilim/domain/contact';
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
  test('cannot pay before it is shown', () => {
    const { pay, payment, card, reads } = openCheckout();
    pay();
    expect(card()).toBe('loadingCard');
    expect(payment()).toBe('ready');
    expect(reads).toHaveLength(0);
  });

  test('can be requested again as a new form after a failure', () => {
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

  test('times out, and is still shown if it arrives later', async () => {
    const { card, wait, showForm } = openCheckout();
    await wait(30_000);
    expect(card()).toBe('cardUnavailable');
    showForm();
    expect(card()).toBe('cardShown');
  });
});

describe('a wallet that does not answer', () => {
  const wallet: CardReader = { read: () => Promise.reject(new Error('The specs answer for the wallet')) };

  test('can be left for the card after 20 seconds, and its late token pays nothing', async () => {
    const { checkout, wait, payment, context, lastRead, charges, pay } = readyCheckout();
    checkout.send({ type: 'wallet.pressed', online: true, wallet });
    await wait(19_999);
    expect(context().notice).toBeUndefined();
    await wait(1);
    expect(context().notice).toEqual({ code: 'WalletSilent' });
    expect(payment()).toBe('tokenizing');
    checkout.send({ type: 'wallet.left' });
    expect(payment()).toBe('ready');
    expect(context().notice).toBeUndefined();
    await lastRead().answer(readA);
    expect(payment()).toBe('ready');
    expect(charges).toHaveLength(0);
    pay();
    await lastRead().answer(readB);
    expect(charges).toHaveLength(1);
  });

  test('may still answer, and its notice goes', async () => {
    const { checkout, wait, payment, context, lastRead } = readyCheckout();
    checkout.send({ type: 'wallet.pressed', online: true, wallet });
    await wait(20_000);
    await lastRead().answer(readA);
    expect(payment()).toEqual({ sent: 'charging' });
    expect(context().notice).toBeUndefined();
  });

  test('a card is not asked to be left: its bank may verify for minutes', async () => {
    const { checkout, wait, payment, context, pay } = readyCheckout();
    pay();
    await wait(20_000);
    expect(context().notice).toBeUndefined();
    checkout.send({ type: 'wallet.left' });
    expect(payment()).toBe('tokenizing');
  });
});

describe('reading the card', () => {
  test.each([
    [{ type: 'card.invalid', fields: ['cvv'] } as const, { code: 'CardInvalid', fields: ['cvv'] }],
    [{ type: 'card.verificationCanceled' } as const, { code: 'VerificationCanceled' }],
    [
      { type: 'card.contactIncomplete', mistakes: ['Name is required'] } as const,
      { code: 'ContactIncomplete', mistakes: ['Name is required'] },
    ],
  ])('%o sends no request and shows a notice', async (read, notice) => {
    const { payWith, payment, context, effects } = readyCheckout();
    await payWith(read);
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual(notice);
    expect(effects).toEqual(['read card']);
  });

  const unexpected = 'announce An unexpected error occurred during payment processing';

  test('an unreadable card sends no request and shows a toast', async () => {
    const { payWith, payment, context, effects } = readyCheckout();
    await payWith({ type: 'card.unreadable' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'CardUnreadable' });
    expect(effects).toEqual(['read card', unexpected]);
  });

  test('a reading that throws or times out sends no request', async () => {
    const broken = readyCheckout();
    broken.pay();
    await broken.lastRead().fail();
    expect(broken.context().notice).toEqual({ code: 'CardUnreadable' });
    expect(broken.effects).toEqual(['read card', unexpected]);

    const endless = readyCheckout();
    endless.pay();
    await endless.wait(5 * 60_000);
    await endless.lastRead().answer(readA);
    expect(endless.payment()).toBe('ready');
    expect(endless.charges).toHaveLength(0);
  });

  test('a press on Pay while offline sends no request, not even after reconnecting', async () => {
    const { pay, payment, context, checkout, reads } = readyCheckout();
    pay(false);
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'Offline' });

    checkout.send({ type: 'connection.restored' });
    await settled();
    expect(context().notice).toBeUndefined();
    expect(reads).toHaveLength(0);
  });

  test('a new press on Pay removes the last notice', async () => {
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

  test('is read within the press, and its token is charged like a card’s', async () => {
    const opened = readyCheckout();
    press(opened);
    // Wallets open only during the press, so nothing may be awaited before.
    expect(opened.lastRead().input).toEqual({ reader: wallet, order });
    await opened.lastRead().answer(readA);
    expect(opened.effects).toEqual(['read card', 'remember key-a', 'keep order of 47600, shown 47600', 'charge']);
    expect(opened.lastCharge().input).toEqual({ token: 'cnon:a', attempt: attemptA, order });
  });

  test('that gives the contact completes the order, which is kept before it is paid', async () => {
    const opened = openCheckout({ order: { ...order, customerInfo: emptyContact } });
    press(opened);
    await opened.lastRead().answer(readA);
    expect(opened.lastCharge().input.order.customerInfo).toEqual(order.customerInfo);
    expect(opened.effects.slice(-2)).toEqual(['keep order of 47600, shown 47600', 'charge']);
  });

  test('that gives the contact brings the card form, which cannot be too late before', async () => {
    const opened = openCheckout({ order: { ...order, customerInfo: emptyContact } });
    await opened.wait(60_000);
    expect(opened.card()).toBe('notOffered');
    press(opened);
    await opened.lastRead().answer(readA);
    expect(opened.card()).toBe('loadingCard');
    expect(opened.context().formProblem).toBeUndefined();
  });

  test('that the customer closes changes nothing and shows no notice', async () => {
    const opened = readyCheckout();
    press(opened);
    await opened.lastRead().answer({ type: 'card.dismissed' });
    expect(opened.payment()).toBe('ready');
    expect(opened.context().notice).toBeUndefined();
    expect(opened.effects).toEqual(['read card']);
  });

  test('works if the card form is unavailable', () => {
    const opened = openCheckout();
    opened.checkout.send({ type: 'form.failed', problem: { code: 'FormUnavailable' } });
    press(opened);
    expect(opened.payment()).toBe('tokenizing');
  });

  test('is not read while offline, during another payment, or without an order', async () => {
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

describe('a payment in another tab', () => {
  test('for the same order is looked up, and cannot be paid a second time here', async () => {
    const { checkout, payment, context, lastLookUp, effects, pay, reads } = readyCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: attemptB });
    expect(payment()).toEqual({ sent: { unsure: 'looking' } });
    expect(context().isElsewhere).toBe(true);
    expect(lastLookUp().input).toEqual({ idempotencyKey: 'key-b' });
    pay();
    expect(reads).toHaveLength(0);
    await lastLookUp().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
    expect(effects).toEqual(['look up', 'forget key-b']);
  });

  test('that is declined can be paid in this tab', async () => {
    const { checkout, lastLookUp, payWith, charges, context } = readyCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: attemptB });
    await lastLookUp().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    await payWith(readA);
    expect(charges).toHaveLength(1);
    expect(context().isElsewhere).toBe(false);
  });

  test('for another order is ignored', () => {
    const { checkout, payment } = readyCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: { ...attemptB, orderId: '0193-order-b' } });
    expect(payment()).toBe('ready');
  });

  test('does not interrupt this tab’s own payment', async () => {
    const { checkout, payment, context } = await chargingCheckout();
    checkout.send({ type: 'attempt.begunElsewhere', attempt: attemptB });
    expect(payment()).toEqual({ sent: 'charging' });
    expect(context().attempt).toEqual(attemptA);
  });
});

describe('charging', () => {
  test('the attempt is remembered before the request is sent', async () => {
    const { effects, lastCharge } = await chargingCheckout();
    expect(effects).toEqual(['read card', 'remember key-a', 'keep order of 47600, shown 47600', 'charge']);
    expect(lastCharge().input).toEqual({ token: 'cnon:a', attempt: attemptA, order });
  });

  test('a second press at any moment reads no card and sends no request', async () => {
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

  test('after a capture, the payment is done and the attempt is forgotten', async () => {
    const { lastCharge, payment, context, effects } = await chargingCheckout();
    await lastCharge().answer({ type: 'payment.captured', paymentId: 'pay-1' });
    expect(payment()).toBe('paid');
    expect(context()).toMatchObject({ paymentId: 'pay-1', token: undefined });
    expect(effects.at(-1)).toBe('forget key-a');
  });

  test('a decline shows its reason, and another card pays the same order with a new key', async () => {
    const { lastCharge, payWith, payment, context, effects, charges } = await chargingCheckout();
    await lastCharge().answer({ type: 'payment.declined', message: 'Your card was declined.' });
    expect(payment()).toBe('ready');
    expect(context().notice).toEqual({ code: 'Declined', message: 'Your card was declined.' });
    expect(effects.slice(-2)).toEqual(['forget key-a', 'announce Your card was declined.']);

    await payWith(readB);
    expect(charges.map(({ input }) => input.attempt.idempotencyKey)).toEqual(['key-a', 'key-b']);
    expect(charges.map(({ input }) => input.token)).toEqual(['cnon:a', 'cnon:b']);
    expect(lastCharge().input.order.orderId).toBe(order.orderId);
  });

  test('a refused request shows a notice, and its attempt is forgotten', async () => {
    const { lastCharge, payment, context, effects } = await chargingCheckout();
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
    expect(effects).toContain('forget key-a');
  });

  test('a new price replaces the order, and is charged only after another press on Pay', async () => {
    const { lastCharge, payment, context, effects, payWith, charges } = await chargingCheckout();
    await lastCharge().answer({ type: 'payment.repriced', order: repricedOrder });
    expect(payment()).toBe('priceChanged');
    expect(context()).toMatchObject({ previousOrder: order, order: repricedOrder, attempt: undefined });
    expect(effects.slice(-2)).toEqual(['forget key-a', 'keep order of 50000, shown 47600']);
    expect(charges).toHaveLength(1);

    await payWith({ ...readB, order: repricedOrder });
    expect(lastCharge().input).toMatchObject({ order: repricedOrder, attempt: attemptB });
  });
});
