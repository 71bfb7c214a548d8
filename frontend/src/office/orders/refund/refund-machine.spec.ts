import type { RefundRequest } from '@kilim/bff/contract/refund-request';
import { cents } from '@kilim/domain/money';
import { noRugCharges, type OrderCharges, rugTotal } from '@kilim/domain/order/refund-allocation';
import { rugChargeNames } from '@kilim/domain/quote';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import type { PasswordCheck } from '../../shared/session/session-calls.ts';
import { type FormEdit, isTouched, type Refundable } from './refund-form.ts';
import {
  answerLimitMilliseconds,
  askAgainDelaysMilliseconds,
  type PasswordInput,
  type RefundInput,
  type RefundOutcome,
  refundMachine,
  type SendInput,
  shownAmount,
} from './refund-machine.ts';

/** $100.00 and $50.00, and a delivery minimum of $25.00. */
const untouched: Refundable = {
  total: cents(17_500),
  remaining: cents(17_500),
  paid: chargesOf([10_000, 5_000], 2_500).rugs,
  charges: chargesOf([10_000, 5_000], 2_500),
};

function chargesOf(rugs: readonly number[], deliveryMinimum: number): OrderCharges {
  return {
    rugs: rugs.map((base) => ({ ...noRugCharges, base: cents(base) })),
    deliveryMinimum: cents(deliveryMinimum),
  };
}

type Call<Input, Output> = {
  readonly input: Input;
  readonly answer: (output: Output) => Promise<void>;
  readonly fail: () => Promise<void>;
};

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

function openDialog(input: Partial<Pick<RefundInput, 'left' | 'refundType' | 'open'>> = {}) {
  const sent: Call<SendInput, RefundOutcome>[] = [];
  const checks: Call<PasswordInput, PasswordCheck>[] = [];
  const diary: string[] = [];
  function recorded<Input, Output>(calls: Call<Input, Output>[]) {
    return fromPromise<Output, Input>(
      ({ input: given }) =>
        new Promise((resolve, reject) => {
          calls.push({
            input: given,
            answer: (output) => {
              resolve(output);
              return settled();
            },
            fail: () => {
              reject(new Error('cut off'));
              return settled();
            },
          });
        }),
    );
  }
  const clock = new SimulatedClock();
  let keys = 0;
  const dialog = createActor(
    refundMachine.provide({
      actors: { send: recorded(sent), checkPassword: recorded(checks) },
      actions: {
        announce: (_, { title, description }) => diary.push(`${title}: ${description}`),
        remember: (_, { request }) => diary.push(`remember ${request.idempotencyKey}`),
        forget: () => diary.push('forget'),
        refresh: () => diary.push('refresh'),
      },
    }),
    {
      clock,
      input: {
        orderId: 'order-a',
        paymentId: 'payment-a',
        left: input.left ?? untouched,
        refundType: input.refundType ?? 'full',
        newKey: () => {
          keys += 1;
          return `refund-key-${String(keys).padStart(6, '0')}`;
        },
        open: input.open,
      },
    },
  );
  dialog.start();
  const edit = (...edits: FormEdit[]) => {
    for (const one of edits) dialog.send({ type: 'form.edited', edit: one });
  };
  return {
    dialog,
    sent,
    checks,
    diary,
    clock,
    edit,
    press: () => dialog.send({ type: 'refund.pressed' }),
    is: (
      state: 'editing' | 'refused' | 'submitting' | 'unsure' | 'reauthenticating' | 'pending' | 'completed' | 'failed',
    ) => dialog.getSnapshot().matches(state),
    context: () => dialog.getSnapshot().context,
    keys: () => sent.map(({ input: given }) => given.request.idempotencyKey),
  };
}

const because: FormEdit = { field: 'reason', value: 'Customer request' };
const partial: FormEdit = { field: 'refundType', value: 'partial' };
const choose = (rugIndex: number, chosen = true): FormEdit => ({ field: 'rug', rugIndex, chosen });
const type = (value: string): FormEdit => ({ field: 'amountText', value });

describe('filling in', () => {
  test('a full refund is everything that remains, and chooses no rug', () => {
    const { edit, context, press, sent } = openDialog();
    edit(partial, choose(0), { field: 'refundType', value: 'full' }, because);
    expect(shownAmount(context())).toBe(17_500);
    press();
    expect(sent[0]?.input.request).toEqual({
      paymentId: 'payment-a',
      amount: '175.00',
      reason: 'Customer request',
      refundType: 'full',
      idempotencyKey: 'refund-key-000001',
    });
  });

  test('chosen rugs and the delivery minimum are summed', () => {
    const { edit, context } = openDialog();
    edit(partial, choose(0), choose(1));
    expect(context().form.amountText).toBe('150.00');
    edit({ field: 'deliveryMinimum', chosen: true }, choose(0, false));
    expect(context().form.amountText).toBe('75.00');
    edit(choose(1, false), { field: 'deliveryMinimum', chosen: false });
    expect(context().form.amountText).toBe('');
  });

  test('the delivery is that of every rug', () => {
    const charges = {
      rugs: [1_000, 0, 500].map((delivery) => ({ ...noRugCharges, base: cents(5_000), delivery: cents(delivery) })),
      deliveryMinimum: cents(0),
    };
    const left = { total: cents(16_500), remaining: cents(16_500), paid: charges.rugs, charges };
    const { edit, context } = openDialog({ left });
    edit(partial, { field: 'delivery', chosen: true });
    expect(context().form.amountText).toBe('15.00');
    edit(choose(0));
    expect(context().form.amountText).toBe('65.00');
    edit({ field: 'delivery', chosen: false });
    expect(context().form).toMatchObject({ rugs: [], amountText: '50.00' });
  });

  test('an amount typed below the chosen rugs is shared among them; one above is free beyond them', () => {
    const below = openDialog();
    below.edit(partial, choose(0), choose(1), type('$75.00'), because);
    below.press();
    expect(below.sent[0]?.input.request).toMatchObject({
      amount: '75.00',
      rugItems: [
        { rugIndex: 0, amount: '50.00' },
        { rugIndex: 1, amount: '25.00' },
      ],
    });
    const above = openDialog();
    above.edit(partial, choose(1), type('60'), because);
    above.press();
    expect(above.sent[0]?.input.request).toMatchObject({
      amount: '60.00',
      rugItems: [{ rugIndex: 1, amount: '50.00' }],
    });
  });

  test.each([
    [[partial, because], ['Missing Information'], 'Please enter an amount.'],
    [[partial, type('10')], ['Missing Information'], undefined],
    [[partial, type('0'), because], [], 'Invalid Amount'],
    [[partial, type('99999999'), because], [], 'Invalid Amount'],
    [[partial, type('ten'), because], [], 'Please enter dollars with at most two decimals, such as 12.50.'],
    [[partial, type('10.001'), because], [], 'Please enter dollars with at most two decimals, such as 12.50.'],
    [[partial, type('175.01'), because], [], 'Invalid Amount'],
  ] as const)('an invalid form is explained once, and not sent: %j', (edits, toasts, amount) => {
    const { edit, press, sent, diary, is, context } = openDialog();
    edit(...edits);
    press();
    expect(diary.map((line) => line.split(':')[0])).toEqual(toasts);
    expect(context().problem?.fields.amount?.split(':')[0]).toBe(amount);
    expect(sent).toEqual([]);
    expect(is('editing')).toBe(true);
  });

  test('an order that is fully refunded is not refunded again', () => {
    const nothing = { ...untouched, remaining: cents(0), charges: chargesOf([0, 0], 0) };
    const { edit, press, sent, diary } = openDialog({ left: nothing });
    edit(because);
    press();
    expect(diary).toEqual(['Refund Not Allowed: This order has already been fully refunded.']);
    expect(sent).toEqual([]);
  });

  test('a refund that opens as a partial one has nothing to discard until something is entered', () => {
    const { context, edit } = openDialog({ refundType: 'partial' });
    expect(isTouched(context().form)).toBe(false);
    edit(type('5'));
    expect(isTouched(context().form)).toBe(true);
  });

  test('a refund of another administrator is no longer offered, and an amount typed by hand stays', () => {
    const less = { ...untouched, remaining: cents(7_500), charges: chargesOf([0, 5_000], 2_500) };
    const summed = openDialog();
    summed.edit(partial, choose(0), choose(1));
    summed.dialog.send({ type: 'left.changed', left: less });
    expect(summed.context().form).toMatchObject({ rugs: [1], amountText: '50.00' });
    const typed = openDialog();
    typed.edit(partial, choose(0), type('80.00'), because);
    typed.dialog.send({ type: 'left.changed', left: less });
    expect(typed.context().form).toMatchObject({ rugs: [], amountText: '80.00' });
    typed.press();
    expect(typed.context().problem?.fields.amount).toBe('Invalid Amount: at most $75.00 can be refunded.');
  });
});

describe('sending', () => {
  test('the refund is remembered before it is sent, and forgotten when it is known', async () => {
    const { edit, press, sent, diary, is } = openDialog();
    edit(because);
    press();
    expect(diary).toEqual(['remember refund-key-000001']);
    await sent[0]?.answer({ type: 'refund.completed' });
    expect(is('completed')).toBe(true);
    expect(diary.slice(1)).toEqual([
      'forget',
      'refresh',
      'Refund Successful: Full refund of $175.00 has been processed.',
    ]);
  });

  test('a second press during a request sends nothing', () => {
    const { edit, press, sent } = openDialog();
    edit(because);
    press();
    press();
    expect(sent).toHaveLength(1);
  });

  test('a refusal leaves the form as it was, and the next refund is another one', async () => {
    const { edit, press, sent, keys, context } = openDialog();
    edit(partial, type('20.00'), because);
    press();
    await sent[0]?.answer({ type: 'refund.refused', message: 'Only $10.00 is left.' });
    expect(context().refusal).toBe('Only $10.00 is left.');
    expect(context().form.amountText).toBe('20.00');
    edit(type('10.00'));
    press();
    expect(keys()).toEqual(['refund-key-000001', 'refund-key-000002']);
  });

  test('a pending refund that fails later says why, and the form is editable again', async () => {
    const { edit, press, sent, dialog, is, context } = openDialog();
    edit(because);
    press();
    await sent[0]?.answer({ type: 'refund.pending' });
    expect(is('pending')).toBe(true);
    dialog.send({ type: 'refund.failed', message: 'The card was closed.' });
    expect(is('failed')).toBe(true);
    expect(context().refusal).toBe('The card was closed.');
  });
});

describe('an unknown outcome', () => {
  test('the same request is repeated until the server answers, and the dialog cannot be left', async () => {
    const { edit, press, sent, keys, clock, dialog, is } = openDialog();
    edit(because);
    press();
    await sent[0]?.fail();
    expect(is('unsure')).toBe(true);
    expect(dialog.getSnapshot().hasTag('leavable')).toBe(false);
    clock.increment(askAgainDelaysMilliseconds[0]);
    await sent[1]?.answer({ type: 'refund.unsure' });
    dialog.send({ type: 'ask.pressed' });
    await sent[2]?.answer({ type: 'refund.completed' });
    expect(is('completed')).toBe(true);
    expect(new Set(keys())).toEqual(new Set(['refund-key-000001']));
    expect(sent.map(({ input }) => input.request)).toEqual([
      sent[0]?.input.request,
      sent[0]?.input.request,
      sent[0]?.input.request,
    ]);
  });

  test('no answer within the limit leaves the outcome unknown', () => {
    const { edit, press, clock, is } = openDialog();
    edit(because);
    press();
    clock.increment(answerLimitMilliseconds);
    expect(is('unsure')).toBe(true);
  });

  test('a reload loads the open refund and asks for its outcome, and nothing else is possible', async () => {
    const open: RefundRequest = {
      paymentId: 'payment-a',
      amount: '20.00',
      reason: 'Delay',
      refundType: 'partial',
      idempotencyKey: 'refund-key-before',
    };
    const { is, press, edit, clock, keys, sent, diary } = openDialog({ open });
    expect(is('unsure')).toBe(true);
    edit(because);
    press();
    expect(keys()).toEqual([]);
    clock.increment(askAgainDelaysMilliseconds[0]);
    expect(keys()).toEqual(['refund-key-before']);
    await sent[0]?.answer({ type: 'refund.completed' });
    expect(diary.at(-1)).toBe('Refund Successful: Partial refund of $20.00 has been processed.');
  });
});

describe('the password', () => {
  test('is asked for inside the dialog, and the same refund is sent again', async () => {
    const { edit, press, sent, checks, dialog, is, keys, context } = openDialog();
    edit(because);
    press();
    await sent[0]?.answer({ type: 'password.needed' });
    dialog.send({ type: 'password.given', proving: { password: 'wrong', code: '' } });
    await checks[0]?.answer({ message: 'Current password is incorrect' });
    expect(context().passwordProblem).toBe('Current password is incorrect');
    dialog.send({ type: 'password.given', proving: { password: 'right', code: '' } });
    expect(checks[1]?.input.proving).toMatchObject({ password: 'right' });
    await checks[1]?.answer('right');
    expect(is('submitting')).toBe(true);
    expect(keys()).toEqual(['refund-key-000001', 'refund-key-000001']);
  });

  test('declining to give it returns to the form, unless an outcome is open', async () => {
    const known = openDialog();
    known.edit(because);
    known.press();
    await known.sent[0]?.answer({ type: 'password.needed' });
    known.dialog.send({ type: 'password.declined' });
    expect(known.is('editing')).toBe(true);
    const open = openDialog();
    open.edit(because);
    open.press();
    await open.sent[0]?.fail();
    open.dialog.send({ type: 'ask.pressed' });
    await open.sent[1]?.answer({ type: 'password.needed' });
    open.dialog.send({ type: 'password.declined' });
    expect(open.is('unsure')).toBe(true);
  });

  test('the form survives the end of the session', async () => {
    const { edit, press, sent, is, context } = openDialog();
    edit(partial, choose(1), because);
    press();
    await sent[0]?.answer({ type: 'session.ended' });
    expect(is('editing')).toBe(true);
    expect(context().form).toMatchObject({ rugs: [1], amountText: '50.00', reason: 'Customer request' });
  });
});

const amounts = fc.integer({ min: 0, max: 50_000 }).map(cents);
const refundables = fc
  .record({ rugs: fc.array(amounts, { minLength: 1, maxLength: 6 }), deliveryMinimum: amounts, given: amounts })
  .map(({ rugs, deliveryMinimum, given }): Refundable => {
    const remaining = cents(rugs.reduce<number>((sum, amount) => sum + amount, deliveryMinimum));
    const charges = chargesOf(rugs, deliveryMinimum);
    return { total: cents(remaining + given), remaining, paid: charges.rugs, charges };
  });
const edits: fc.Arbitrary<FormEdit> = fc.oneof(
  fc.record({ field: fc.constant('refundType' as const), value: fc.constantFrom('full' as const, 'partial' as const) }),
  fc.record({ field: fc.constant('rug' as const), rugIndex: fc.nat({ max: 5 }), chosen: fc.boolean() }),
  fc.record({
    field: fc.constant('charge' as const),
    rugIndex: fc.nat({ max: 5 }),
    charge: fc.constantFrom(...rugChargeNames),
    chosen: fc.boolean(),
  }),
  fc.record({ field: fc.constantFrom('delivery' as const, 'deliveryMinimum' as const), chosen: fc.boolean() }),
  fc.record({
    field: fc.constant('amountText' as const),
    value: fc.oneof(
      fc.string(),
      fc.nat({ max: 400_000 }).map((amount) => (amount / 100).toFixed(2)),
    ),
  }),
);

test('no form and no change of the order lead to a request for more than is left', () => {
  let sentAtAll = 0;
  fc.assert(
    fc.property(
      refundables,
      fc.array(edits, { maxLength: 12 }),
      fc.option(refundables, { nil: undefined }),
      (left, all, later) => {
        const { edit, press, sent, dialog } = openDialog({ left });
        edit(...all);
        if (later !== undefined) dialog.send({ type: 'left.changed', left: later });
        edit(because);
        press();
        const now = later ?? left;
        const request = sent[0]?.input.request;
        if (request === undefined) return;
        sentAtAll += 1;
        const inCents = (amount: string | number) => Math.round(Number(amount) * 100);
        const items = request.rugItems ?? [];
        expect(inCents(request.amount)).toBeGreaterThanOrEqual(1);
        expect(inCents(request.amount)).toBeLessThanOrEqual(now.remaining);
        if (request.refundType === 'full') expect(inCents(request.amount)).toBe(now.remaining);
        for (const { rugIndex, amount } of items) {
          expect(inCents(amount)).toBeGreaterThan(0);
          expect(inCents(amount)).toBeLessThanOrEqual(rugTotal(now.charges.rugs[rugIndex] ?? noRugCharges));
        }
        const minimum = inCents(request.deliveryMinimum ?? '0');
        expect(minimum).toBeLessThanOrEqual(now.charges.deliveryMinimum);
        const lines = items.reduce((sum, { amount }) => sum + inCents(amount), minimum);
        expect(lines).toBeLessThanOrEqual(inCents(request.amount));
      },
    ),
    { numRuns: 300 },
  );
  expect(sentAtAll).toBeGreaterThan(50);
});
