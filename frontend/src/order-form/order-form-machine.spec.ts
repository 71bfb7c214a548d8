import { type ContactField, type ContactInput, emptyContact } from '@kilim/domain/contact';
import { ok, rejected } from '@kilim/domain/result';
import { newRug } from '@kilim/domain/rug';
import { beforeAll, describe, expect, test } from 'vitest';
import { createActor, fromPromise, waitFor } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { ApiFailure } from '../shared/api-client.ts';
import { quoteA } from '../shared/testing/orders.ts';
import { newDraft, type OrderDraft, readLeftSizes, sizedRug } from './draft.ts';
import type { OrderFormEvent, OrderFormNotice } from './order-form-events.ts';
import { orderFormMachine } from './order-form-machine.ts';
import type { QuoteInput } from './request-quote.ts';
import { refusedProblemsOf } from './selectors.ts';
import { loadSizeReader, noSizes, type SizeField, sizeChoices } from './size-input.ts';
import { type Answer, eightByTen, refusalOf } from './testing/order-form-paths.ts';

const ada: ContactInput = { ...emptyContact, name: 'Ada Byron', email: 'ada@example.com', phone: '3105550100' };
const cartOfAda: OrderDraft = { ...newDraft, rugs: [eightByTen], contact: ada, step: 'cart' };

const lostAnswer: ApiFailure = { kind: 'no-answer', cause: 'network' };

/** `notices` collects what is emitted. */
function startForm(draft: OrderDraft = newDraft, answer: Promise<Answer> = Promise.resolve(ok(quoteA))) {
  const asked: QuoteInput[] = [];
  const machine = orderFormMachine.provide({
    actors: {
      requestQuote: fromPromise<Answer, QuoteInput>(({ input }) => {
        asked.push(input);
        return answer;
      }),
    },
  });
  const form = createActor(machine, { input: draft });
  const notices: OrderFormNotice[] = [];
  form.on('*', (notice) => void notices.push(notice));
  form.start();
  const send = (...events: readonly OrderFormEvent[]) => {
    for (const event of events) form.send(event);
  };
  return {
    form,
    notices,
    asked,
    send,
    context: () => form.getSnapshot().context,
    state: () => form.getSnapshot().value,
  };
}

const typeSize = (index: number, field: SizeField, text: string): OrderFormEvent => ({
  type: 'rug.sizeTyped',
  index,
  field,
  text,
});
const typeContact = (field: ContactField, text: string): OrderFormEvent => ({ type: 'contact.typed', field, text });

beforeAll(async () => void (await loadSizeReader()));

describe('rugs', () => {
  test('each typed field updates the rug', () => {
    const { send, context } = startForm();
    send(typeSize(0, 'widthFeet', '8'), typeSize(0, 'lengthFeet', '10'), typeSize(0, 'lengthInches', '6'));
    expect(context().rugs[0]?.rug).toMatchObject({ width: 96, length: 126 });
  });

  test('typing in one rug does not replace the objects of the other rugs', () => {
    const { send, context } = startForm({ ...newDraft, rugs: [eightByTen, eightByTen, eightByTen] });
    const before = context().rugs;
    send(typeSize(1, 'widthFeet', '9'));
    expect(context().rugs[0]).toBe(before[0]);
    expect(context().rugs[1]).not.toBe(before[1]);
    expect(context().rugs[2]).toBe(before[2]);
  });

  test('a word counts as 0, stays as typed, and becomes an error when the field loses the focus', () => {
    const { send, context } = startForm();
    send(typeSize(0, 'widthFeet', 'eight'));
    expect(context().rugs[0]).toMatchObject({ typed: { widthFeet: 'eight' }, rug: { width: 0 }, errors: {} });
    send({ type: 'rug.sizeLeft', index: 0, field: 'widthFeet' });
    expect(context().rugs[0]?.errors).toEqual({ widthFeet: expect.stringContaining('We cannot read “eight”') });
    send(typeSize(0, 'widthFeet', '8'));
    expect(context().rugs[0]).toMatchObject({ typed: { widthFeet: '8' }, rug: { width: 96 }, errors: {} });
  });

  test('a text with two readings stays as typed and holds the order until a size is chosen', () => {
    const { send, context, state, notices } = startForm();
    const left: OrderFormEvent = { type: 'rug.sizeLeft', index: 0, field: 'widthFeet' };
    send(typeSize(0, 'widthFeet', '66x90'), left, { type: 'rugs.continued' });
    expect(context().rugs[0]).toMatchObject({
      typed: { widthFeet: '66x90' },
      errors: { widthFeet: expect.stringContaining('What size is “66x90”?') },
      rug: { width: 0 },
    });
    expect([state(), notices.at(-1)?.type]).toEqual(['rugs', 'refused']);
    const sizes = { widthFeet: '5', widthInches: '6', lengthFeet: '7', lengthInches: '6' };
    send({ type: 'rug.sizesFilled', index: 0, sizes });
    expect(context().rugs[0]).toMatchObject({ rug: { width: 66, length: 90 }, errors: {} });
  });

  test('feet that are hardly feet hold the order until the customer says so', () => {
    const { send, context, state } = startForm();
    send(typeSize(0, 'widthFeet', '66'), typeSize(0, 'lengthFeet', '90'), { type: 'rugs.continued' });
    expect(context().rugs[0]?.errors).toEqual({ widthFeet: expect.stringContaining('Is it really 66 × 90 feet?') });
    expect(state()).toBe('rugs');
    const sizes = { widthFeet: '66', widthInches: '0', lengthFeet: '90', lengthInches: '0' };
    send({ type: 'rug.sizesFilled', index: 0, sizes }, { type: 'rugs.continued' });
    expect([state(), context().rugs[0]?.rug.width]).toEqual(['cart', 792]);
  });

  test.each(['99999', '1000000000000000000000'])('%s feet are no rug, and no size is made up from them', (feet) => {
    const { send, context } = startForm();
    send(typeSize(0, 'widthFeet', feet), { type: 'rug.sizeLeft', index: 0, field: 'widthFeet' });
    expect(context().rugs[0]).toMatchObject({
      typed: { widthFeet: feet },
      errors: { widthFeet: 'We clean rugs of up to 100 feet a side' },
    });
    expect(sizeChoices(context().rugs[0]?.typed ?? noSizes, 'widthFeet')).toEqual([]);
  });

  test('a size that was left before the reader had loaded is read afterwards, and no other one', () => {
    const { typed, rug } = sizedRug(newRug, { ...noSizes, widthFeet: `8'6"`, lengthFeet: '1' });
    const left = { id: 0, typed, rug, errors: { widthFeet: 'not readable yet' } };
    expect(readLeftSizes(left)).toMatchObject({
      typed: { widthFeet: '8', widthInches: '6', lengthFeet: '1' },
      errors: {},
    });
    expect(readLeftSizes({ ...left, errors: {} }).typed).toBe(typed);
  });

  test('leaving an empty field adds no error', () => {
    const { send, context } = startForm();
    send({ type: 'rug.sizeLeft', index: 0, field: 'widthFeet' });
    expect(context().rugs[0]?.errors).toEqual({});
  });

  test('more than 11 inches become feet when the field loses the focus', () => {
    const { send, context } = startForm();
    send(typeSize(0, 'widthInches', '66'), { type: 'rug.sizeLeft', index: 0, field: 'widthInches' });
    expect(context().rugs[0]?.typed).toEqual({ ...noSizes, widthFeet: '5', widthInches: '6' });
  });

  test('premium adds stain protection, and changing to another tier removes it', () => {
    const { send, context } = startForm();
    const stainProtection = () => context().rugs[0]?.rug.stainProtection;
    send({ type: 'rug.chosen', index: 0, choice: { stainProtection: false } });
    expect(stainProtection()).toBe(true);
    send({ type: 'rug.chosen', index: 0, choice: { tier: 'midrange' } });
    expect(stainProtection()).toBe(false);
    send({ type: 'rug.chosen', index: 0, choice: { stainProtection: true } });
    send({ type: 'rug.chosen', index: 0, choice: { tier: 'economy' } });
    expect(stainProtection()).toBe(true);
  });

  test('a new rug becomes the active one', () => {
    const { send, context, notices } = startForm();
    send({ type: 'rug.added' });
    expect(context().activeRugIndex).toBe(1);
    expect(notices).toEqual([{ type: 'rugAdded', index: 1 }]);
  });

  test('removing a rug keeps the others unchanged and selects an existing active rug', () => {
    const { send, context, notices } = startForm({
      ...newDraft,
      rugs: [eightByTen, ...newDraft.rugs],
      activeRugIndex: 1,
    });
    send({ type: 'rug.removed', index: 1 });
    expect(context().rugs.map(({ typed }) => typed)).toEqual([eightByTen.typed]);
    expect(context().activeRugIndex).toBe(0);
    expect(notices).toMatchObject([{ type: 'rugRemoved', index: 0, removedIndex: 1 }]);
  });

  test('undoing a removal restores the rug’s index and values, in the cart as well', () => {
    const { send, context, notices, state } = startForm({ ...newDraft, rugs: [eightByTen, eightByTen] });
    send(typeSize(0, 'widthFeet', '9'), { type: 'rugs.continued' }, { type: 'rug.removed', index: 0 });
    const removal = notices.find(({ type }) => type === 'rugRemoved');
    if (removal?.type !== 'rugRemoved') throw new Error('Nothing was removed');
    send({ type: 'rug.restored', index: removal.removedIndex, rug: removal.removed });
    expect(state()).toBe('cart');
    expect(context().activeRugIndex).toBe(0);
    expect(context().rugs.map(({ rug }) => rug.width)).toEqual([108, 96]);
  });

  test('undoing the removal of a rug without a size leaves the cart', () => {
    const { send, notices, state } = startForm({ ...newDraft, rugs: [newDraft.rugs[0] ?? eightByTen, eightByTen] });
    send({ type: 'rug.removed', index: 0 }, { type: 'rugs.continued' });
    const removal = notices.find(({ type }) => type === 'rugRemoved');
    if (removal?.type !== 'rugRemoved') throw new Error('Nothing was removed');
    expect(state()).toBe('cart');
    send({ type: 'rug.restored', index: removal.removedIndex, rug: removal.removed });
    expect(state()).toBe('rugs');
  });

  test('removing the last rug from the cart leaves it', () => {
    const { send, state, context } = startForm({ ...newDraft, rugs: [eightByTen] });
    send({ type: 'rugs.continued' }, { type: 'rug.removed', index: 0 });
    expect([state(), context().rugs]).toEqual(['rugs', []]);
  });

  test('a duplicate is inserted after its original, with a new id', () => {
    const { send, context } = startForm({ ...newDraft, rugs: [eightByTen, ...newDraft.rugs] });
    send({ type: 'rug.duplicated', index: 0 });
    expect(context().rugs.map(({ typed }) => typed)).toEqual([eightByTen.typed, eightByTen.typed, noSizes]);
    expect(new Set(context().rugs.map(({ id }) => id)).size).toBe(3);
    expect(context().activeRugIndex).toBe(1);
  });

  test('a whole size in one field fills all fields when the field loses the focus', () => {
    const { send, context } = startForm();
    send(typeSize(0, 'widthFeet', `5'6" x 7'`), { type: 'rug.sizeLeft', index: 0, field: 'widthFeet' });
    expect(context().rugs[0]?.rug).toMatchObject({ width: 66, length: 84 });
  });

  test('a single rug can be removed only after an input, and undo restores it', () => {
    const untouched = startForm();
    untouched.send({ type: 'rug.removed', index: 0 });
    expect(untouched.context().rugs).toHaveLength(1);
    const chosen = startForm();
    chosen.send({ type: 'rug.chosen', index: 0, choice: { tier: 'economy' } }, { type: 'rug.removed', index: 0 });
    expect(chosen.context()).toMatchObject({ rugs: [], activeRugIndex: 0 });
    const [removal] = chosen.notices;
    if (removal?.type !== 'rugRemoved') throw new Error('Nothing was removed');
    chosen.send({ type: 'rug.restored', index: removal.removedIndex, rug: removal.removed });
    expect(chosen.context().rugs).toMatchObject([{ rug: { tier: 'economy' } }]);
  });

  test('a rug can be added to an order without rugs', () => {
    const { send, context } = startForm({ ...newDraft, rugs: [] });
    send({ type: 'rug.added' });
    expect(context()).toMatchObject({ rugs: [{ typed: noSizes }], activeRugIndex: 0 });
  });

  test('activating the active rug changes nothing', () => {
    const { send, form } = startForm();
    const before = form.getSnapshot();
    send({ type: 'rug.activated', index: 0 });
    expect(form.getSnapshot().context).toBe(before.context);
  });

  test('an order has at most 50 rugs', () => {
    const full = startForm({ ...newDraft, rugs: Array(50).fill(eightByTen) });
    full.send({ type: 'rug.added' });
    expect(full.context().rugs).toHaveLength(50);
  });
});

describe('continuing to the cart', () => {
  test('a missing side is refused, with an error at its field and in the summary', () => {
    const { form, send, state, notices } = startForm();
    send(typeSize(0, 'widthFeet', '8'), { type: 'rugs.continued' });
    expect(state()).toBe('rugs');
    expect(notices).toEqual([{ type: 'refused', refusal: 'incompleteDimensions' }]);
    expect(refusedProblemsOf(form.getSnapshot())).toEqual([
      { fieldId: 'rug-0-lengthFeet', message: 'Rug #1: Enter the length' },
    ]);
    send(typeSize(0, 'lengthFeet', '1'));
    expect(refusedProblemsOf(form.getSnapshot())).toEqual([]);
  });

  test.each([
    ['101', '8', 'We clean rugs of up to 100 feet a side'],
    ['0', '', 'Enter the width'],
  ])('a width of %s ft %s in is refused: %s', (feet, inches, message) => {
    const { send, context } = startForm();
    send(typeSize(0, 'widthFeet', feet), typeSize(0, 'widthInches', inches), typeSize(0, 'lengthFeet', '5'));
    send({ type: 'rugs.continued' });
    expect(context().rugs[0]?.errors).toEqual({ widthFeet: message });
  });

  test('a rug under half a square foot has invalid dimensions', () => {
    const { send, notices } = startForm();
    send(typeSize(0, 'widthInches', '8'), typeSize(0, 'lengthInches', '8'), { type: 'rugs.continued' });
    expect(notices).toEqual([{ type: 'refused', refusal: 'invalidDimensions' }]);
  });

  test('an order without rugs is refused, and a saved one does not open at the cart', () => {
    const { send, state, notices } = startForm({ ...newDraft, rugs: [], step: 'cart' });
    expect(state()).toBe('rugs');
    send({ type: 'rugs.continued' });
    expect(state()).toBe('rugs');
    expect(notices).toEqual([{ type: 'refused', refusal: 'noRugs' }]);
  });

  test('a field that is not a whole number is refused instead of priced as 0', () => {
    const { send, state, notices } = startForm({ ...newDraft, rugs: [eightByTen] });
    send(typeSize(0, 'widthInches', 'six'), { type: 'rugs.continued' });
    expect(state()).toBe('rugs');
    expect(notices).toEqual([{ type: 'refused', refusal: 'invalidDimensions' }]);
  });

  test('with complete rugs, Continue opens the cart', () => {
    const { send, state, notices } = startForm({ ...newDraft, rugs: [eightByTen] });
    send({ type: 'rugs.continued' });
    expect(state()).toBe('cart');
    expect(notices).toEqual([{ type: 'stepEntered', step: 'cart' }]);
  });
});

describe('the cart', () => {
  test('a day of pickup that has passed becomes any day, and says so until another one is chosen', () => {
    const { send, context } = startForm({ ...cartOfAda, contact: { ...ada, pickupDay: '2026-11-25' } });
    send({ type: 'pickupDay.passed', day: 'Wednesday, November 25' });
    expect(context().contact.pickupDay).toBe('');
    expect(context().contactErrors.pickupDay).toMatch('We can no longer come on Wednesday, November 25');
    send(typeContact('pickupDay', '2026-11-28'));
    expect(context().contactErrors).toEqual({});
  });

  test('a saved cart opens at the cart, unless its rugs are incomplete', () => {
    expect(startForm(cartOfAda).state()).toBe('cart');
    expect(startForm({ ...cartOfAda, rugs: newDraft.rugs }).state()).toBe('rugs');
  });

  test('a rug’s tab leads back to that rug', () => {
    const { send, state, context, notices } = startForm({ ...cartOfAda, rugs: [eightByTen, eightByTen] });
    send({ type: 'rug.visited', index: 1 });
    expect(state()).toBe('rugs');
    expect(context().activeRugIndex).toBe(1);
    expect(notices).toEqual([{ type: 'rugVisited', index: 1 }]);
  });

  test('a filled field is validated when it loses the focus, and editing removes the error', () => {
    const { send, context } = startForm({ ...cartOfAda, contact: emptyContact });
    send({ type: 'contact.left', field: 'email' });
    expect(context().contactErrors).toEqual({});
    send(typeContact('email', 'ada@'), { type: 'contact.left', field: 'email' });
    expect(context().contactErrors).toEqual({ email: 'Please enter a valid email address' });
    send(typeContact('email', 'ada@e'));
    expect(context().contactErrors).toEqual({});
  });

  test('pickup requires an address, and drop-off removes the errors of the address', () => {
    const { send, context, notices } = startForm(cartOfAda);
    send({ type: 'delivery.chosen', option: 'pickup' }, { type: 'cart.submitted' });
    expect(notices).toEqual([{ type: 'refused', refusal: 'missingInformation' }]);
    expect(context().contactErrors).toEqual({
      address: 'Address is required',
      city: 'City is required',
      state: 'State is required',
      zipCode: 'ZIP Code is required',
    });
    send({ type: 'delivery.chosen', option: 'dropoff' });
    expect(context().contactErrors).toEqual({});
  });

  test('missing contact details are refused without a request', () => {
    const { send, state, asked } = startForm({ ...cartOfAda, contact: emptyContact });
    send({ type: 'cart.submitted' });
    expect(state()).toBe('cart');
    expect(asked).toEqual([]);
  });
});

describe('submitting', () => {
  test('the server’s quote and the contact go to the checkout', async () => {
    const { form, send, notices, asked } = startForm(cartOfAda);
    send({ type: 'cart.submitted' });
    await waitFor(form, (snapshot) => snapshot.status === 'done');
    expect(asked).toMatchObject([{ deliveryOption: 'dropoff', contact: ada }]);
    expect(notices).toEqual([{ type: 'quoted', quote: quoteA, contact: ada }]);
  });

  test('a second press sends no second request, and edits are ignored during the request', () => {
    const { send, state, asked, context } = startForm(cartOfAda, new Promise(() => {}));
    send({ type: 'cart.submitted' }, { type: 'cart.submitted' }, typeContact('name', 'Eve'));
    expect(state()).toBe('submitting');
    expect(asked).toHaveLength(1);
    expect(context().contact.name).toBe('Ada Byron');
  });

  test('a lost answer keeps all input and reports the failure', async () => {
    const { form, send, notices, context } = startForm(cartOfAda, Promise.resolve(rejected(lostAnswer)));
    send({ type: 'cart.submitted' });
    await waitFor(form, (snapshot) => snapshot.matches('cart'));
    expect(notices).toEqual([{ type: 'refused', refusal: 'submitFailed' }]);
    expect(context()).toMatchObject({ failure: lostAnswer, contact: ada, rugs: [{ typed: eightByTen.typed }] });
  });

  test('the form stays usable after an unexpected exception', async () => {
    const { form, send, notices } = startForm(cartOfAda, Promise.reject(new TypeError('a bug')));
    send({ type: 'cart.submitted' });
    await waitFor(form, (snapshot) => snapshot.matches('cart'));
    expect(notices).toEqual([{ type: 'refused', refusal: 'submitFailed' }]);
  });

  test('a server error about a contact field appears at that field', async () => {
    const refusal = refusalOf({ 'customerInfo.email': 'No such mailbox' });
    const { form, send } = startForm(cartOfAda, Promise.resolve(rejected(refusal)));
    send({ type: 'cart.submitted' });
    await waitFor(form, (snapshot) => snapshot.matches('cart'));
    expect(refusedProblemsOf(form.getSnapshot())).toEqual([{ fieldId: 'contact-email', message: 'No such mailbox' }]);
  });

  test('a server error about a rug leads back to that rug', async () => {
    const refusal = refusalOf({ 'rugs.0.lengthFeet': 'Too long' });
    const { form, send } = startForm(cartOfAda, Promise.resolve(rejected(refusal)));
    send({ type: 'cart.submitted' });
    await waitFor(form, (snapshot) => snapshot.matches('rugs'));
    expect(refusedProblemsOf(form.getSnapshot())).toEqual([
      { fieldId: 'rug-0-lengthFeet', message: 'Rug #1: Too long' },
    ]);
  });

  test('going back aborts the request', async () => {
    let answer: (given: Answer) => void = () => {};
    const { form, send, state, notices } = startForm(
      cartOfAda,
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    send({ type: 'cart.submitted' }, { type: 'cart.leftForRugs' });
    answer(ok(quoteA));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(state()).toBe('rugs');
    expect(form.getSnapshot().status).toBe('active');
    expect(notices).toEqual([{ type: 'stepEntered', step: 'rugs' }]);
  });
});

describe('the shortest paths through the machine', () => {
  const events: OrderFormEvent[] = [
    { type: 'rug.added' },
    { type: 'rug.removed', index: 0 },
    { type: 'rug.duplicated', index: 0 },
    { type: 'rug.sizesFilled', index: 0, sizes: eightByTen.typed },
    typeSize(0, 'widthFeet', '8'),
    typeSize(0, 'lengthFeet', '10'),
    { type: 'rugs.continued' },
    { type: 'cart.leftForRugs' },
    typeContact('name', 'Ada Byron'),
    { type: 'cart.submitted' },
  ];
  const paths = getShortestPaths(orderFormMachine, {
    input: { ...newDraft, contact: { ...ada, name: '' } },
    events,
    serializeState: ({ value, context }) =>
      JSON.stringify([value, context.rugs.map(({ typed }) => typed), context.activeRugIndex, context.contact.name]),
    stopWhen: ({ context }) => context.rugs.length > 2,
  });

  test('reach both steps and the request', () => {
    expect(new Set(paths.map(({ state }) => state.value))).toEqual(new Set(['rugs', 'cart', 'submitting']));
  });

  test('always have an active rug if there are rugs, and reach the cart only with complete rugs', () => {
    for (const { state } of paths) {
      if (state.context.rugs.length > 0) expect(state.context.rugs[state.context.activeRugIndex]).toBeDefined();
      if (state.value !== 'rugs') expect(state.context.rugs).not.toEqual([]);
      if (state.value !== 'rugs') expect(state.context.rugs.every(({ rug }) => rug.width * rug.length > 0)).toBe(true);
      if (state.value === 'submitting') expect(state.context.contact.name).toBe('Ada Byron');
    }
  });
});
