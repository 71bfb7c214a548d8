// @vitest-environment happy-dom

import { describeRug } from '@kilim/domain/describe-rug';
import { formatDollars } from '@kilim/domain/money';
import { quoteOrder } from '@kilim/domain/quote';
import { builtInRates } from '@kilim/domain/rates';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localStore } from '../shared/storage.ts';
import { renderPages } from '../shared/testing/render-pages.tsx';
import { dismissToast } from '../shared/toast/toast-store.ts';
import { cartTexts } from './cart-texts.ts';
import { isFolded, isRemovable } from './draft.ts';
import { saveDraft } from './draft-storage.ts';
import { OrderForm } from './order-form.tsx';
import { refusedProblemsOf } from './selectors.ts';
import { type Answer, type FormState, type PathEvent, pathsStart, shortestPaths } from './testing/order-form-paths.ts';
import { orderFormTexts } from './texts.ts';

// Each path through the machine runs in the rendered form. After each step the page is compared with the state. Only
// the server's answers are faked.

// happy-dom has no style sheets, so the check would be useless and slow.
const person = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
const button = (name: string) => screen.getByRole('button', { name });
const rugOf = (index: number) => within(screen.getByRole('region', { name: `Rug #${index + 1}` }));

/** Oldest first. */
let waiting: ((answer: Answer) => void)[] = [];

beforeEach(() => {
  waiting = [];
  const noWallet = () => Promise.reject(new Error('This device has no wallet'));
  const square = { paymentRequest: () => ({}), applePay: noWallet, googlePay: noWallet };
  vi.stubGlobal('Square', { payments: () => square });
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve, reject) => waiting.push(answerWith(resolve, reject))));
  window.history.replaceState(null, '', '/');
});

afterEach(() => {
  cleanup();
  dismissToast();
  window.localStorage.clear();
  vi.unstubAllGlobals();
});

function answerWith(resolve: (response: Response) => void, fail: (reason: unknown) => void) {
  return (answer: Answer) => {
    if (answer.ok) resolve(Response.json(answer.value));
    else if (answer.rejection.kind === 'refused') resolve(Response.json(answer.rejection, { status: 422 }));
    else fail(new TypeError('Failed to fetch'));
  };
}

const config = {
  business: { name: 'Kilim', dropOffSites: [{ name: 'Valley', note: 'walk-ins welcome' }] },
  square: { applicationId: '', locationId: '', environment: 'simulator', scriptUrl: '/square.js' },
};

async function openForm(): Promise<void> {
  saveDraft(pathsStart, Date.now());
  renderPages(config, { '/': OrderForm, '/checkout': () => <h1>The checkout</h1> });
  await screen.findByRole('heading', { name: 'Your Rugs' });
}

async function perform(event: PathEvent): Promise<void> {
  switch (event.type) {
    case 'rug.added':
      return person.click(button('Add another rug'));
    case 'rug.removed':
      return person.click(button(`Remove Rug #${event.index + 1}`));
    case 'rug.duplicated':
      return person.click(button(`Duplicate Rug #${event.index + 1}`));
    case 'rug.visited':
      return person.click(button(`Rug #${event.index + 1}`));
    case 'rug.sizesFilled':
      return person.click(rugOf(event.index).getByRole('button', { name: '8 × 10 ft' }));
    case 'rug.sizeTyped': {
      const box = rugOf(event.index).getByRole('textbox', { name: orderFormTexts.sizeFields[event.field] });
      await person.clear(box);
      return person.type(box, event.text);
    }
    case 'rug.chosen':
      return person.click(rugOf(event.index).getByRole('radio', { name: 'Economy' }));
    case 'rugs.continued':
      return person.click(button('Continue to cart'));
    case 'cart.leftForRugs':
      return person.click(button('Back to Rugs'));
    case 'delivery.chosen':
      return person.click(await screen.findByRole('radio', { name: cartTexts.deliveryNames[event.option] }));
    case 'contact.typed':
      return person.type(
        await screen.findByRole('textbox', { name: cartTexts.contactFields[event.field] }),
        event.text,
      );
    case 'cart.submitted':
      return person.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    case 'xstate.done.actor.0.order-form.submitting': {
      await waitFor(() => expect(waiting).toHaveLength(1));
      return waiting.shift()?.(event.output);
    }
  }
}

async function expectPage(state: FormState): Promise<void> {
  switch (state.value) {
    case 'rugs':
      return expectRugs(state);
    case 'cart':
      return expectCart(state);
    case 'submitting':
      {
        const busy = await screen.findByRole('button', { name: 'Preparing your service...' });
        expect(busy.getAttribute('aria-disabled')).toBe('true');
      }
      return;
    default:
      await screen.findByRole('heading', { name: 'The checkout' });
      expect(JSON.parse(localStore.read('currentOrder') ?? '')).toMatchObject({ customerInfo: state.context.contact });
  }
}

async function expectRugs(state: FormState): Promise<void> {
  const { rugs } = state.context;
  await screen.findByRole('heading', { name: 'Your Rugs' });
  await waitFor(() => expect(screen.queryAllByRole('region', { name: /^Rug #/ })).toHaveLength(rugs.length));
  for (const [index, draft] of rugs.entries()) {
    const { typed, rug, errors } = draft;
    const card = rugOf(index);
    expect(card.queryByRole('button', { name: /^Remove/ }) !== null).toBe(isRemovable(rugs, index));
    expect(card.queryByRole('button', { name: /^Edit/ }) !== null).toBe(isFolded(draft));
    if (isFolded(draft)) {
      card.getByText(describeRug(rug));
      continue;
    }
    const boxes = card.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);
    expect(boxes).toEqual([typed.widthFeet, typed.widthInches, typed.lengthFeet, typed.lengthInches]);
    const tier = card.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked);
    expect(tier?.id).toBe(`rug-${index}-tier-${rug.tier}`);
    for (const message of Object.values(errors)) card.getByText(message);
    expect(card.queryAllByRole('textbox', { description: /./ })).toHaveLength(Object.keys(errors).length);
  }
  const tabs = within(screen.getByRole('navigation', { name: 'Order steps' })).getAllByRole('button');
  expect(tabs.map(({ firstChild }) => firstChild?.textContent)).toEqual(
    [...rugs.keys()].map((index) => `Rug #${index + 1}`).concat('Cart & Checkout'),
  );
  expect(tabs.filter((tab) => tab.getAttribute('aria-current') === 'step')).toHaveLength(Math.min(1, rugs.length));
  expectTotal(state);
  expectProblems(state);
}

async function expectCart(state: FormState): Promise<void> {
  const { contact, contactErrors, deliveryOption, failure } = state.context;
  await screen.findByRole('heading', { name: 'Cart & Checkout' });
  const submit = await screen.findByRole('button', { name: 'Continue to payment' });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe(contact.name);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: cartTexts.deliveryNames[deliveryOption] }).checked).toBe(
    true,
  );
  expect(screen.queryByRole('textbox', { name: 'Street address' }) !== null).toBe(deliveryOption === 'pickup');
  const listed = listedProblems(state).map(({ message }) => message);
  for (const message of Object.values(contactErrors)) {
    // After a refused Continue it is in the error summary too.
    expect(screen.getAllByText(message)).toHaveLength(listed.includes(message) ? 2 : 1);
  }
  const wrong = Object.keys(contactErrors).length > 0;
  expect(screen.queryByText('(Please review this section)') !== null).toBe(wrong);
  const complete = contact.name !== '' && deliveryOption === 'dropoff';
  expect(submit.getAttribute('aria-disabled') === 'true').toBe(!complete);
  expect(screen.queryByText(cartTexts.contactIncomplete) !== null).toBe(!complete);
  expect(screen.queryByText(cartTexts.failed) !== null).toBe(failure !== undefined);
  expectTotal(state);
  expectProblems(state);
}

/** The domain's quote; none before a rug has a size. */
function expectTotal({ context }: FormState): void {
  const quote = quoteOrder(
    { rugs: context.rugs.map(({ rug }) => rug), deliveryOption: context.deliveryOption },
    builtInRates,
  );
  const summary = within(screen.getByRole('region', { name: 'Order Summary' }));
  if (quote.rugs.every(({ area }) => area === 0)) summary.getByText('Add a rug to see your order summary');
  else expect(summary.getByText('Total').nextSibling?.textContent).toBe(formatDollars(quote.total));
}

/** A single problem stands at its field only. */
function listedProblems(state: FormState) {
  const problems = refusedProblemsOf(state);
  return problems.length > 1 ? problems : [];
}

/** Each line links to an existing input. */
function expectProblems(state: FormState): void {
  const links = screen.queryAllByRole<HTMLAnchorElement>('link');
  const problems = listedProblems(state);
  expect(links.map(({ textContent }) => textContent)).toEqual(problems.map(({ message }) => message));
  for (const { fieldId } of problems) expect(document.getElementById(fieldId)?.tagName).toBe('INPUT');
}

/** As in the specification. */
function toastFor({ type }: PathEvent, { value, context }: FormState): string | undefined {
  if (type === 'rug.removed') return 'Rug #1 removed';
  if (type === 'cart.submitted' && value === 'cart') return 'Missing information';
  if (type === 'xstate.done.actor.0.order-form.submitting' && value !== 'submitted') return 'Error';
  if (type !== 'rugs.continued' || value !== 'rugs') return undefined;
  return context.rugs.length === 0 ? 'Cannot submit order' : 'Incomplete rug dimensions';
}

const paths = shortestPaths().map((steps) => ({
  name: steps.map(({ event }) => event.type.replace(/^xstate.*/, 'answered')).join(', '),
  steps,
}));

test('the paths reach every state and every toast', () => {
  const seen = paths.flatMap(({ steps }) => steps);
  expect(new Set(seen.map(({ state }) => state.value))).toEqual(new Set(['rugs', 'cart', 'submitting', 'submitted']));
  expect(new Set(seen.map(({ event, state }) => toastFor(event, state)))).toEqual(
    new Set([undefined, 'Rug #1 removed', 'Missing information', 'Error', 'Incomplete rug dimensions']),
  );
});

test.each(paths)('$name', async ({ steps }) => {
  await openForm();
  for (const { event, state } of steps) {
    await perform(event);
    await expectPage(state);
    const toast = toastFor(event, state);
    if (toast !== undefined) await screen.findByText(toast);
  }
});

// The shortest paths contain no events that leave the state unchanged.
test('continuing without a rug shows a toast and changes nothing', async () => {
  const path = paths.find(({ steps }) => steps.at(-1)?.state.context.rugs.length === 0)?.steps ?? [];
  const state = path.at(-1)?.state;
  if (state === undefined) throw new Error('No path removes the last rug');
  await openForm();
  for (const { event } of path) await perform(event);
  await perform({ type: 'rugs.continued' });
  await expectPage(state);
  await screen.findByText('Cannot submit order');
  await screen.findByText('Please add at least one rug to your order.');
});
