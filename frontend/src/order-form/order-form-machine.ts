import type { QuotedOrder } from '@kilim/bff/contract/quote';
import { type DeliveryOption, mostRugsPerOrder } from '@kilim/domain/catalog';
import {
  type ContactErrors,
  type ContactField,
  type ContactInput,
  contactFieldError,
  contactFieldsFor,
  contactText,
  emptyContact,
  meantContact,
  parseContact,
} from '@kilim/domain/contact';
import type { Result } from '@kilim/domain/result';
import { newRug } from '@kilim/domain/rug';
import { assign, emit, fromPromise, raise, setup } from 'xstate';
import type { ApiFailure } from '../shared/api-client.ts';
import {
  areComplete,
  chooseFor,
  fillSizes,
  foldOthers,
  hasErrors,
  isRemovable,
  isSideMissing,
  leaveSize,
  leaveSizes,
  nearestIndex,
  type OrderDraft,
  openErrors,
  type RugDraft,
  readLeftSizes,
  rugErrors,
  type Step,
  sizedRug,
  typeSize,
} from './draft.ts';
import { contactFieldId, contactProblems, placeServerErrors, rugProblems } from './form-problems.ts';
import type { OrderFormContext, OrderFormEvent, OrderFormNotice } from './order-form-events.ts';
import type { QuoteInput } from './request-quote.ts';
import { isUnread, noSizes } from './size-input.ts';
import { orderFormTexts, type Refusal } from './texts.ts';

/** `refusedEmail` was refused at the checkout. */
type OrderFormInput = OrderDraft & { readonly refusedEmail?: string | null };

const orderForm = setup({
  types: {
    context: {} as OrderFormContext,
    events: {} as OrderFormEvent,
    emitted: {} as OrderFormNotice,
    input: {} as OrderFormInput,
  },
  actors: {
    requestQuote: fromPromise<Result<QuotedOrder, ApiFailure>, QuoteInput>(() =>
      Promise.reject(new Error('The page provides it')),
    ),
  },
  guards: {
    rugsComplete: ({ context }) =>
      context.rugs.length > 0 && context.rugs.map(leaveSizes).every((rug) => !hasErrors(openErrors(rug))),
    contactComplete: ({ context }) => parseContact(context.contact, context.deliveryOption).ok,
    // A saved cart with incomplete rugs opens at the rugs, because the rules may have changed.
    startsAtCart: ({ context }) => context.startsAt === 'cart' && areComplete(context.rugs),
    canAddRug: ({ context }) => context.rugs.length < mostRugsPerOrder,
    canDuplicateRug: ({ context }, index: number) => context.rugs.length < mostRugsPerOrder && isRug(context, index),
    canRemoveRug: ({ context }, index: number) => isRug(context, index) && isRemovable(context.rugs, index),
    isRug: ({ context }, index: number) => isRug(context, index),
    isLastRug: ({ context }, index: number) => context.rugs.length === 1 && isRemovable(context.rugs, index),
    canRestoreComplete: ({ context }, rug: RugDraft) =>
      context.rugs.length < mostRugsPerOrder && !hasErrors(rugErrors(rug)),
    isOtherRug: ({ context }, index: number) => isRug(context, index) && index !== context.activeRugIndex,
  },
  actions: {
    addRug: assign(({ context }) => ({
      rugs: [...foldOthers(context.rugs, -1), { ...sizedRug(newRug, noSizes), id: context.nextRugId, errors: {} }],
      nextRugId: context.nextRugId + 1,
      activeRugIndex: context.rugs.length,
    })),
    // Field names contain the rug's index, which changes for later rugs.
    insertRug: assign(({ context }, { index, rug }: { index: number; rug: RugDraft }) => ({
      rugs: context.rugs.toSpliced(index, 0, rug),
      nextRugId: Math.max(context.nextRugId, rug.id + 1),
      activeRugIndex: Math.min(index, context.rugs.length),
      refusedFields: [],
    })),
    removeRug: assign(({ context }, index: number) => {
      const rugs = context.rugs.filter((_, position) => position !== index);
      const behind = context.activeRugIndex > index ? context.activeRugIndex - 1 : context.activeRugIndex;
      const [only] = rugs;
      const left = rugs.length === 1 && only !== undefined ? [{ ...only, isFolded: false }] : rugs;
      return { rugs: left, activeRugIndex: nearestIndex(behind, rugs), refusedFields: [] };
    }),
    foldRugs: assign(({ context }) => ({ rugs: foldOthers(context.rugs, -1) })),
    openRug: assign(({ context }, index: number) => ({
      rugs: context.rugs.map((rug, position) => (position === index ? { ...rug, isFolded: false } : rug)),
      activeRugIndex: index,
    })),
    changeRug: assign(({ context }, change: { index: number; to: (rug: RugDraft) => RugDraft }) => ({
      rugs: context.rugs.map((rug, position) => (position === change.index ? change.to(rug) : rug)),
    })),
    // A field that still has the focus may hold a whole size, such as `8x10`.
    readSizes: assign(({ context }) => ({ rugs: context.rugs.map(leaveSizes) })),
    readLeftSizes: assign(({ context }) => ({ rugs: context.rugs.map(readLeftSizes) })),
    activateRug: assign((_, index: number) => ({ activeRugIndex: index })),
    // The new delivery option may not require some fields.
    chooseDelivery: assign(({ context }, deliveryOption: DeliveryOption) => {
      const asked = contactFieldsFor(deliveryOption);
      const still = Object.entries(context.contactErrors).filter(([field]) => asked.includes(field as ContactField));
      return { deliveryOption, contactErrors: Object.fromEntries(still) };
    }),
    typeContact: assign(({ context }, { field, text }: { field: ContactField; text: string }) => ({
      contact: { ...context.contact, [field]: text },
      contactErrors: withoutError(context.contactErrors, field),
    })),
    // An empty field is not an error before Continue is pressed.
    checkContactField: assign(({ context }, field: ContactField) => {
      const typed = context.contact[field];
      const message = typed.trim() === '' ? undefined : contactFieldError(field, typed);
      if (message === undefined) return { contact: { ...context.contact, [field]: contactText(field, typed) } };
      return { contactErrors: { ...context.contactErrors, [field]: message } };
    }),
    showRugErrors: assign(({ context }) => {
      const rugs = context.rugs.map((rug) => ({ ...rug, errors: openErrors(rug) }));
      return { rugs, refusedFields: rugProblems(rugs).map(({ fieldId }) => fieldId), continuesWhenRead: false };
    }),
    showContactErrors: assign(({ context }) => {
      const parsed = parseContact(context.contact, context.deliveryOption);
      const contactErrors = parsed.ok ? {} : parsed.rejection;
      const problems = contactProblems(contactErrors, context.deliveryOption);
      return { contactErrors, refusedFields: problems.map(({ fieldId }) => fieldId) };
    }),
    showServerErrors: assign(({ context }, failure: ApiFailure | undefined) => {
      const placed = placeServerErrors(failure?.kind === 'refused' ? failure.fields : {});
      const rugs = context.rugs.map((rug, index) => {
        const errors = placed.rugs.get(index);
        return errors === undefined ? rug : { ...rug, errors };
      });
      const problems = [...rugProblems(rugs), ...contactProblems(placed.contact, context.deliveryOption)];
      const refusedFields = problems.map(({ fieldId }) => fieldId);
      return { rugs, contactErrors: { ...context.contactErrors, ...placed.contact }, refusedFields, failure };
    }),
    forgetRefusal: assign({ refusedFields: [], failure: undefined, continuesWhenRead: false }),
    showVisitedRug: emit(({ context }) => ({ type: 'rugVisited', index: context.activeRugIndex })),
    announceRemoval: emit(({ context }, index: number) => ({
      type: 'rugRemoved',
      index: nearestIndex(index, context.rugs.toSpliced(index, 1)),
      removed: rugAt(context, index),
      removedIndex: index,
    })),
    refuseRugs: emit(({ context }) => ({ type: 'refused', refusal: refusalOf(context.rugs) })),
  },
});

function isRug({ rugs }: OrderFormContext, index: number): boolean {
  return rugs[index] !== undefined;
}

/** @throws RangeError for an unknown index, which the guard prevents. */
function rugAt({ rugs }: OrderFormContext, index: number): RugDraft {
  const rug = rugs[index];
  if (rug === undefined) throw new RangeError(`No rug ${index} of ${rugs.length}`);
  return rug;
}

function refusalOf(rugs: readonly RugDraft[]): Refusal {
  if (rugs.length === 0) return 'noRugs';
  const incomplete = rugs.some((draft) => isSideMissing(draft, 'width') || isSideMissing(draft, 'length'));
  return incomplete ? 'incompleteDimensions' : 'invalidDimensions';
}

function withoutError(errors: ContactErrors, field: ContactField): ContactErrors {
  const { [field]: _, ...others } = errors;
  return others;
}

/** The processor refused the address at the checkout. */
function refusedAtCheckout({ contact, refusedEmail }: OrderFormInput) {
  const isRefused = contact.email !== '' && refusedEmail === contact.email;
  return {
    contactErrors: isRefused ? { email: orderFormTexts.emailRefused } : {},
    refusedFields: isRefused ? [contactFieldId('email')] : [],
  };
}

function blamesRugs(failure: ApiFailure): boolean {
  return failure.kind === 'refused' && placeServerErrors(failure.fields).rugs.size > 0;
}

/**
 * Two steps, then the server's quote (specification, section 4). It starts from a parsed draft, never from a snapshot,
 * which would repeat a running request. During the request nothing can be edited, so that the customer pays for what
 * they saw; going back aborts it.
 */
export const orderFormMachine = orderForm.createMachine({
  id: 'order-form',
  context: ({ input }) => ({
    rugs: foldOthers(input.rugs, input.activeRugIndex).map((rug, id) => ({ ...rug, id, errors: {} })),
    nextRugId: input.rugs.length,
    activeRugIndex: input.activeRugIndex,
    deliveryOption: input.deliveryOption,
    contact: input.contact,
    ...refusedAtCheckout(input),
    failure: undefined,
    startsAt: input.step,
    continuesWhenRead: false,
    isExpress: false,
  }),
  initial: 'opening',
  states: {
    opening: {
      always: [{ guard: 'startsAtCart', target: 'cart' }, { target: 'rugs' }],
    },
    rugs: {
      on: {
        'rug.added': {
          guard: 'canAddRug',
          actions: ['addRug', emit(({ context }) => ({ type: 'rugAdded', index: context.activeRugIndex }))],
        },
        'rug.removed': {
          guard: { type: 'canRemoveRug', params: ({ event }) => event.index },
          actions: [
            { type: 'announceRemoval', params: ({ event }) => event.index },
            { type: 'removeRug', params: ({ event }) => event.index },
          ],
        },
        'rug.duplicated': {
          guard: { type: 'canDuplicateRug', params: ({ event }) => event.index },
          actions: [
            'foldRugs',
            {
              type: 'insertRug',
              params: ({ context, event }) => ({
                index: event.index + 1,
                rug: { ...rugAt(context, event.index), id: context.nextRugId, errors: {}, isFolded: false },
              }),
            },
            'showVisitedRug',
          ],
        },
        'rug.restored': {
          guard: 'canAddRug',
          actions: [{ type: 'insertRug', params: ({ event }) => event }, 'showVisitedRug'],
        },
        'rug.activated': {
          guard: { type: 'isOtherRug', params: ({ event }) => event.index },
          actions: { type: 'activateRug', params: ({ event }) => event.index },
        },
        'rug.visited': {
          guard: { type: 'isRug', params: ({ event }) => event.index },
          actions: [{ type: 'openRug', params: ({ event }) => event.index }, 'showVisitedRug'],
        },
        'rug.sizeTyped': {
          actions: [
            assign({ continuesWhenRead: false }),
            {
              type: 'changeRug',
              params: ({ event }) => ({ index: event.index, to: (rug) => typeSize(rug, event.field, event.text) }),
            },
          ],
        },
        'rug.sizesFilled': {
          actions: {
            type: 'changeRug',
            params: ({ event }) => ({ index: event.index, to: (rug) => fillSizes(rug, event.sizes) }),
          },
        },
        'rug.sizeLeft': {
          actions: {
            type: 'changeRug',
            params: ({ event }) => ({ index: event.index, to: (rug) => leaveSize(rug, event.field) }),
          },
        },
        'sizes.readable': [
          { guard: ({ context }) => context.continuesWhenRead, actions: raise({ type: 'rugs.continued' }) },
          { actions: 'readLeftSizes' },
        ],
        'rug.chosen': {
          actions: {
            type: 'changeRug',
            params: ({ event }) => ({ index: event.index, to: (rug) => chooseFor(rug, event.choice) }),
          },
        },
        'rugs.continued': [
          {
            guard: 'rugsComplete',
            target: 'cart',
            actions: ['readSizes', 'forgetRefusal', emit({ type: 'stepEntered', step: 'cart' })],
          },
          {
            guard: ({ context }) => context.rugs.some(({ typed }) => isUnread(typed)),
            actions: ['readSizes', assign({ continuesWhenRead: true })],
          },
          { actions: ['readSizes', 'showRugErrors', 'refuseRugs'] },
        ],
      },
    },
    cart: {
      on: {
        'delivery.chosen': { actions: { type: 'chooseDelivery', params: ({ event }) => event.option } },
        'contact.typed': { actions: { type: 'typeContact', params: ({ event }) => event } },
        'contact.left': { actions: { type: 'checkContactField', params: ({ event }) => event.field } },
        'pickupDay.passed': {
          actions: assign(({ context, event }) => ({
            contact: { ...context.contact, pickupDay: '' },
            contactErrors: { ...context.contactErrors, pickupDay: orderFormTexts.dayPassed(event.day) },
          })),
        },
        'cart.submitted': [
          {
            guard: 'contactComplete',
            target: 'submitting',
            actions: [
              'forgetRefusal',
              assign(({ context }) => ({ contact: meantContact(context.contact), isExpress: false })),
            ],
          },
          { actions: ['showContactErrors', emit({ type: 'refused', refusal: 'missingInformation' })] },
        ],
        'cart.expressChosen': { target: 'submitting', actions: ['forgetRefusal', assign({ isExpress: true })] },
        'cart.leftForRugs': { target: 'rugs', actions: ['forgetRefusal', emit({ type: 'stepEntered', step: 'rugs' })] },
        'rug.visited': {
          guard: { type: 'isRug', params: ({ event }) => event.index },
          target: 'rugs',
          actions: ['forgetRefusal', { type: 'openRug', params: ({ event }) => event.index }, 'showVisitedRug'],
        },
        'rug.removed': [
          {
            guard: { type: 'isLastRug', params: ({ event }) => event.index },
            target: 'rugs',
            actions: [
              'forgetRefusal',
              { type: 'announceRemoval', params: ({ event }) => event.index },
              { type: 'removeRug', params: ({ event }) => event.index },
            ],
          },
          {
            guard: { type: 'canRemoveRug', params: ({ event }) => event.index },
            actions: [
              { type: 'announceRemoval', params: ({ event }) => event.index },
              { type: 'removeRug', params: ({ event }) => event.index },
            ],
          },
        ],
        'rug.restored': [
          {
            guard: { type: 'canRestoreComplete', params: ({ event }) => event.rug },
            actions: [{ type: 'insertRug', params: ({ event }) => event }, 'showVisitedRug'],
          },
          // The cart has complete rugs only.
          {
            guard: 'canAddRug',
            target: 'rugs',
            actions: ['forgetRefusal', { type: 'insertRug', params: ({ event }) => event }, 'showVisitedRug'],
          },
        ],
      },
    },
    submitting: {
      invoke: {
        src: 'requestQuote',
        input: ({ context }) => context,
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'submitted',
            actions: emit(({ context, event }) => ({
              type: 'quoted',
              quote: quoteOf(event.output),
              contact: context.isExpress ? wishesOnly(context.contact) : context.contact,
            })),
          },
          {
            guard: ({ event }) => !event.output.ok && blamesRugs(event.output.rejection),
            target: 'rugs',
            actions: [
              { type: 'showServerErrors', params: ({ event }) => failureOf(event.output) },
              emit({ type: 'refused', refusal: 'submitFailed' }),
            ],
          },
          {
            target: 'cart',
            actions: [
              { type: 'showServerErrors', params: ({ event }) => failureOf(event.output) },
              emit({ type: 'refused', refusal: 'submitFailed' }),
            ],
          },
        ],
        onError: {
          target: 'cart',
          actions: [
            { type: 'showServerErrors', params: { kind: 'no-answer', cause: 'unreadable' } as const },
            emit({ type: 'refused', refusal: 'submitFailed' }),
          ],
        },
      },
      on: {
        'cart.leftForRugs': { target: 'rugs', actions: emit({ type: 'stepEntered', step: 'rugs' }) },
        'rug.visited': {
          guard: { type: 'isRug', params: ({ event }) => event.index },
          target: 'rugs',
          actions: [{ type: 'activateRug', params: ({ event }) => event.index }, 'showVisitedRug'],
        },
      },
    },
    /** The page saves the order and opens the checkout. */
    submitted: { type: 'final' },
  },
});

/** It survives a reload. */
export function draftOf(context: OrderFormContext, step: Step): OrderDraft {
  const { rugs, deliveryOption, contact, activeRugIndex } = context;
  return { rugs, deliveryOption, contact, activeRugIndex, step };
}

/** The wallet gives the rest. Typed text stays in the draft. */
function wishesOnly({ pickupDay, pickupWindow, driverNote }: ContactInput): ContactInput {
  return { ...emptyContact, pickupDay, pickupWindow, driverNote };
}

/** @throws Error for a failed request, which the guard prevents. */
function quoteOf(output: Result<QuotedOrder, ApiFailure>): QuotedOrder {
  if (!output.ok) throw new Error('The server gave no quote');
  return output.value;
}

function failureOf(output: Result<QuotedOrder, ApiFailure>): ApiFailure | undefined {
  return output.ok ? undefined : output.rejection;
}
