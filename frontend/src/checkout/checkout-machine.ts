import { assign, fromPromise, raise, setup } from 'xstate';
import type { CurrentOrder } from '../shared/current-order.ts';
import type {
  CardEvent,
  CardFormEvent,
  ChargeEvent,
  LookUpEvent,
  Notice,
  PaymentAttempt,
  UnsureOutcome,
} from './outcomes.ts';
import type { CardForm, CardProblem, CardReader } from './square-card.ts';
import { checkoutTexts } from './texts.ts';

/** How long a charge may stay unanswered before the customer is told that we are confirming it. */
export const chargeLimitMilliseconds = 40_000;

/**
 * How long Square may take to show its form, and to read a card: a bank's verification is a dialog
 * with the customer.
 */
const formLimitMilliseconds = 30_000;
const readingLimitMilliseconds = 5 * 60_000;

/** The waits between two looks at an attempt; the last one repeats. */
export const lookUpDelaysMilliseconds = [1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 6_000, 10_000] as const;

/**
 * An attempt that the server has not heard of in this many looks, ten seconds apart from first to
 * last, never arrived.
 */
const unheardLooks = 6;

/**
 * After this many looks the customer reads that it takes longer than usual: about half a minute.
 */
export const patientLooks = 9;

export type CheckoutInput = {
  /** Undefined when only an earlier attempt is left to confirm. */
  readonly order: CurrentOrder | undefined;
  /** An attempt whose outcome this browser never learned. */
  readonly attempt: PaymentAttempt | undefined;
};

export type CheckoutContext = CheckoutInput & {
  readonly form: CardForm | undefined;
  readonly formProblem: CardProblem | undefined;
  /** Counts the forms that were asked for: a new number makes a new form. */
  readonly formTries: number;
  /** What is being read, or was read last: the form or a wallet. */
  readonly reader: CardReader | undefined;
  readonly token: string | undefined;
  readonly notice: Notice | undefined;
  /** What the customer was shown before the price changed. */
  readonly previousOrder: CurrentOrder | undefined;
  /** The attempt in question was begun in another tab. */
  readonly isElsewhere: boolean;
  readonly looks: number;
  readonly looksUnheard: number;
  readonly paymentId: string | undefined;
};

export type CheckoutEvent =
  | CardFormEvent
  | { readonly type: 'form.retry' }
  | { readonly type: 'pay.pressed'; readonly online: boolean }
  | { readonly type: 'wallet.pressed'; readonly online: boolean; readonly wallet: CardReader }
  /** Another tab of this browser has begun to pay. */
  | { readonly type: 'attempt.begunElsewhere'; readonly attempt: PaymentAttempt }
  | { readonly type: 'check.pressed' }
  | { readonly type: 'connection.restored' }
  | CardEvent
  | ChargeEvent
  | LookUpEvent;

export type ReadCardInput = { readonly reader: CardReader; readonly order: CurrentOrder };
export type ChargeInput = { readonly token: string; readonly attempt: PaymentAttempt; readonly order: CurrentOrder };
export type LookUpInput = Pick<PaymentAttempt, 'idempotencyKey'>;

/** A machine without its actors is a bug, and says so on its first step. */
const notProvided = () => Promise.reject(new Error('This actor is provided by the page'));

const checkout = setup({
  types: {
    input: {} as CheckoutInput,
    context: {} as CheckoutContext,
    events: {} as CheckoutEvent,
    tags: {} as 'busy',
  },
  actors: {
    readCard: fromPromise<CardEvent, ReadCardInput>(notProvided),
    charge: fromPromise<ChargeEvent, ChargeInput>(notProvided),
    lookUp: fromPromise<LookUpEvent, LookUpInput>(notProvided),
  },
  actions: {
    /** Keeps the attempt where a reload finds it. */
    remember: (_, _attempt: PaymentAttempt) => undefined,
    /** Its outcome is known: nothing is left to ask after. */
    forget: (_, _attempt: PaymentAttempt) => undefined,
    keepOrder: (_, _order: CurrentOrder) => undefined,
    announceFailure: (_, _failure: { readonly message: string }) => undefined,
  },
  guards: {
    isOffline: (_, online: boolean) => !online,
    canPay: ({ context }) => context.form !== undefined && context.order !== undefined,
    hasOrder: ({ context }) => context.order !== undefined,
    isThisOrder: ({ context }, attempt: PaymentAttempt) => context.order?.orderId === attempt.orderId,
    hasOpenAttempt: ({ context }) => context.attempt !== undefined,
    isAnotherAttempt: (_, outcome: UnsureOutcome) => outcome.inProgress !== undefined,
    hasNeverArrived: ({ context }) => context.looksUnheard + 1 >= unheardLooks,
    isOfflineNotice: ({ context }) => context.notice?.code === 'Offline',
  },
  delays: {
    chargeLimit: chargeLimitMilliseconds,
    formLimit: formLimitMilliseconds,
    readingLimit: readingLimitMilliseconds,
    untilNextLook: ({ context }) =>
      lookUpDelaysMilliseconds[Math.min(context.looks, lookUpDelaysMilliseconds.length) - 1] ?? 1_000,
  },
});

/**
 * Whether there is a card form to fill in. It keeps what was typed while a payment is under way.
 */
const cardForm = checkout.createStateConfig({
  initial: 'loadingCard',
  on: {
    'form.shown': {
      target: '.cardShown',
      actions: assign({ form: ({ event }) => event.form, formProblem: undefined }),
    },
    'form.failed': { target: '.cardUnavailable', actions: assign({ formProblem: ({ event }) => event.problem }) },
  },
  states: {
    loadingCard: {
      after: {
        formLimit: { target: 'cardUnavailable', actions: assign({ formProblem: { code: 'FormUnavailable' } }) },
      },
    },
    cardUnavailable: {
      on: {
        'form.retry': {
          target: 'loadingCard',
          actions: assign({ formTries: ({ context }) => context.formTries + 1, formProblem: undefined }),
        },
      },
    },
    cardShown: {},
  },
});

const ready = checkout.createStateConfig({
  on: {
    'pay.pressed': [
      {
        guard: { type: 'isOffline', params: ({ event }) => event.online },
        actions: assign({ notice: { code: 'Offline' } }),
      },
      {
        guard: 'canPay',
        target: 'tokenizing',
        actions: assign({ notice: undefined, reader: ({ context }) => context.form }),
      },
    ],
    'wallet.pressed': [
      {
        guard: { type: 'isOffline', params: ({ event }) => event.online },
        actions: assign({ notice: { code: 'Offline' } }),
      },
      {
        guard: 'hasOrder',
        target: 'tokenizing',
        actions: assign({ notice: undefined, reader: ({ event }) => event.wallet }),
      },
    ],
    'attempt.begunElsewhere': {
      guard: { type: 'isThisOrder', params: ({ event }) => event.attempt },
      target: 'sent.unsure',
      actions: assign({ notice: undefined, attempt: ({ event }) => event.attempt, isElsewhere: true }),
    },
    'connection.restored': { guard: 'isOfflineNotice', actions: assign({ notice: undefined }) },
  },
});

/** Square reads the card. Nothing has been sent to our server. */
const tokenizing = checkout.createStateConfig({
  tags: 'busy',
  invoke: {
    src: 'readCard',
    input: ({ context }) => ({ reader: present(context.reader), order: present(context.order) }),
    onDone: { actions: raise(({ event }) => event.output) },
    onError: { actions: raise({ type: 'card.unreadable' }) },
  },
  after: { readingLimit: { actions: raise({ type: 'card.unreadable' }) } },
  on: {
    // Remembered first, sent second: whatever happens from here on, the attempt can be asked after.
    'card.read': {
      target: 'sent',
      actions: [
        { type: 'remember', params: ({ event }) => event.attempt },
        assign({ token: ({ event }) => event.token, attempt: ({ event }) => event.attempt, isElsewhere: false }),
      ],
    },
    'card.invalid': {
      target: 'ready',
      actions: assign({ notice: ({ event }) => ({ code: 'CardInvalid', fields: event.fields }) }),
    },
    'card.verificationCanceled': { target: 'ready', actions: assign({ notice: { code: 'VerificationCanceled' } }) },
    'card.dismissed': 'ready',
    'card.unreadable': {
      target: 'ready',
      actions: [
        assign({ notice: { code: 'CardUnreadable' } }),
        { type: 'announceFailure', params: { message: checkoutTexts.unexpectedError } },
      ],
    },
  },
});

const charging = checkout.createStateConfig({
  tags: 'busy',
  invoke: {
    src: 'charge',
    input: ({ context }) => ({
      token: present(context.token),
      attempt: present(context.attempt),
      order: present(context.order),
    }),
    onDone: { actions: raise(({ event }) => event.output) },
    onError: 'unsure',
  },
  after: { chargeLimit: 'unsure' },
  on: {
    'payment.unsure': [
      {
        guard: { type: 'isAnotherAttempt', params: ({ event }) => event },
        target: 'unsure',
        actions: [
          { type: 'remember', params: ({ context, event }) => ({ ...present(context.attempt), ...event.inProgress }) },
          assign({
            attempt: ({ context, event }) => ({ ...present(context.attempt), ...event.inProgress }),
            isElsewhere: ({ context, event }) =>
              event.inProgress?.idempotencyKey !== present(context.attempt).idempotencyKey,
          }),
        ],
      },
      'unsure',
    ],
  },
});

/** The outcome is not known: paying again is impossible until it is. */
const unsure = checkout.createStateConfig({
  entry: assign({ looks: 0, looksUnheard: 0 }),
  initial: 'looking',
  states: {
    looking: {
      entry: assign({ looks: ({ context }) => context.looks + 1 }),
      invoke: {
        src: 'lookUp',
        input: ({ context }) => ({ idempotencyKey: present(context.attempt).idempotencyKey }),
        onDone: { actions: raise(({ event }) => event.output) },
        onError: 'waiting',
      },
      on: {
        'payment.unsure': { target: 'waiting', actions: assign({ looksUnheard: 0 }) },
        'lookUp.unreachable': 'waiting',
        'lookUp.unheard': [
          { guard: 'hasNeverArrived', actions: raise({ type: 'payment.voided' }) },
          { target: 'waiting', actions: assign({ looksUnheard: ({ context }) => context.looksUnheard + 1 }) },
        ],
      },
    },
    waiting: {
      after: { untilNextLook: 'looking' },
      on: { 'check.pressed': 'looking', 'connection.restored': 'looking' },
    },
  },
});

/**
 * The server may have the attempt. Only its own word, in `on`, leads out of here and lets the
 * attempt be forgotten.
 */
const sent = checkout.createStateConfig({
  initial: 'charging',
  states: { charging, unsure },
  exit: assign({ token: undefined }),
  on: {
    'payment.captured': {
      target: 'paid',
      actions: [
        { type: 'forget', params: ({ context }) => present(context.attempt) },
        assign({ paymentId: ({ event }) => event.paymentId }),
      ],
    },
    'payment.declined': {
      target: 'ready',
      actions: [
        { type: 'forget', params: ({ context }) => present(context.attempt) },
        assign({
          attempt: undefined,
          notice: ({ event: { message, isReturned } }) => ({ code: 'Declined', message, isReturned }),
        }),
        { type: 'announceFailure', params: ({ event }) => ({ message: event.message }) },
      ],
    },
    'payment.refused': {
      target: 'ready',
      actions: [
        { type: 'forget', params: ({ context }) => present(context.attempt) },
        assign({
          attempt: undefined,
          notice: ({ event: { message, isAboutCart } }) => ({ code: 'Refused', message, isAboutCart }),
        }),
        { type: 'announceFailure', params: ({ event }) => ({ message: event.message }) },
      ],
    },
    'payment.voided': {
      target: 'ready',
      actions: [
        { type: 'forget', params: ({ context }) => present(context.attempt) },
        assign({ attempt: undefined, notice: { code: 'NothingCharged' } }),
      ],
    },
    'payment.repriced': {
      target: 'priceChanged',
      actions: [
        { type: 'forget', params: ({ context }) => present(context.attempt) },
        { type: 'keepOrder', params: ({ event }) => event.order },
        assign({
          attempt: undefined,
          previousOrder: ({ context }) => context.order,
          order: ({ event }) => event.order,
        }),
      ],
    },
  },
});

export const checkoutMachine = checkout.createMachine({
  id: 'checkout',
  type: 'parallel',
  context: ({ input }) => ({
    ...input,
    form: undefined,
    formProblem: undefined,
    formTries: 0,
    reader: undefined,
    token: undefined,
    notice: undefined,
    previousOrder: undefined,
    isElsewhere: false,
    looks: 0,
    looksUnheard: 0,
    paymentId: undefined,
  }),
  states: {
    card: cardForm,
    payment: {
      initial: 'opening',
      states: {
        opening: { always: [{ guard: 'hasOpenAttempt', target: 'sent.unsure' }, { target: 'ready' }] },
        ready,
        /** Pay, which now names the new total, is the customer's consent to it. */
        priceChanged: ready,
        tokenizing,
        sent,
        paid: {},
      },
    },
  },
});

/** A value that the state guarantees. Its absence is a bug of this machine. */
function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The checkout is in a state that it has no data for');
  return value;
}
