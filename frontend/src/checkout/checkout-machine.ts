import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { Cents } from '@kilim/domain/money';
import { assign, fromPromise, raise, setup } from 'xstate';
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

/** After this, the page says that it is confirming the payment. */
export const chargeLimitMilliseconds = 40_000;

/** Reading a card can include the bank's verification of the customer. */
const formLimitMilliseconds = 30_000;
const readingLimitMilliseconds = 5 * 60_000;
/** Some wallets never answer after a failure of their own. */
const walletLimitMilliseconds = 20_000;

/** Between two look-ups of an attempt; the last one repeats. */
export const lookUpDelaysMilliseconds = [1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 6_000, 10_000] as const;

/** An attempt that the server does not know after this many look-ups never arrived: ten seconds. */
const maxUnknownLookUps = 6;

/** After about half a minute, the page says that it takes longer than usual. */
export const slowAfterLookUps = 9;

export type CheckoutInput = {
  /** Undefined if there is only an earlier attempt to confirm. */
  readonly order: CurrentOrder | undefined;
  readonly attempt: PaymentAttempt | undefined;
  /** In the cart, if the server computed another one. */
  readonly shownTotal?: Cents | undefined;
  /** It pays for larger rugs of an order: the shop knows the customer, and there is no cart. */
  readonly isDifference?: boolean | undefined;
};

export type CheckoutContext = CheckoutInput & {
  readonly form: CardForm | undefined;
  readonly formProblem: CardProblem | undefined;
  /** A new number mounts a new form. */
  readonly formTries: number;
  /** The current or last one. */
  readonly reader: CardReader | undefined;
  readonly token: string | undefined;
  readonly notice: Notice | undefined;
  readonly previousOrder: CurrentOrder | undefined;
  readonly isElsewhere: boolean;
  /** The server's words on an outcome that has been unknown for long. */
  readonly message: string | undefined;
  readonly lookUps: number;
  /** Without the server knowing the attempt, since the last pending answer. */
  readonly unknownLookUps: number;
  readonly paymentId: string | undefined;
};

export type CheckoutEvent =
  | CardFormEvent
  | { readonly type: 'form.retry' }
  | { readonly type: 'pay.pressed'; readonly online: boolean }
  | { readonly type: 'wallet.pressed'; readonly online: boolean; readonly wallet: CardReader }
  | { readonly type: 'wallet.left' }
  /** In another tab of this browser. */
  | { readonly type: 'attempt.begunElsewhere'; readonly attempt: PaymentAttempt }
  | { readonly type: 'check.pressed' }
  | { readonly type: 'connection.restored' }
  | CardEvent
  | ChargeEvent
  | LookUpEvent;

export type ReadCardInput = { readonly reader: CardReader; readonly order: CurrentOrder };
export type ChargeInput = { readonly token: string; readonly attempt: PaymentAttempt; readonly order: CurrentOrder };
export type LookUpInput = Pick<PaymentAttempt, 'idempotencyKey'>;

/**
 * Only a wallet can pay, which gives the contact. The cart requires a name, except for an order that goes on to a
 * wallet.
 */
export function isWithoutContact({ order, isDifference = false }: Omit<CheckoutInput, 'attempt'>): boolean {
  return order !== undefined && order.customerInfo.name === '' && !isDifference;
}

/** An actor that is not provided is a bug. */
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
    /** Lets a reload find the attempt. */
    remember: (_, _attempt: PaymentAttempt) => undefined,
    forget: (_, _attempt: PaymentAttempt) => undefined,
    /** For a reload, with the total that the customer saw. */
    keepOrder: (_, _kept: { readonly order: CurrentOrder; readonly shownTotal: Cents }) => undefined,
    announceFailure: (_, _failure: { readonly message: string }) => undefined,
  },
  guards: {
    isOffline: (_, online: boolean) => !online,
    canPay: ({ context }) => context.form !== undefined && context.order !== undefined,
    isWithoutContact: ({ context }) => isWithoutContact(context),
    hasOrder: ({ context }) => context.order !== undefined,
    isWallet: ({ context }) => context.reader !== context.form,
    isThisOrder: ({ context }, attempt: PaymentAttempt) => context.order?.orderId === attempt.orderId,
    hasOpenAttempt: ({ context }) => context.attempt !== undefined,
    hasShownAnotherTotal: ({ context }) => context.shownTotal !== undefined,
    isAnotherAttempt: (_, outcome: UnsureOutcome) => outcome.inProgress !== undefined,
    hasNeverArrived: ({ context }) => context.unknownLookUps + 1 >= maxUnknownLookUps,
    isOfflineNotice: ({ context }) => context.notice?.code === 'Offline',
  },
  delays: {
    chargeLimit: chargeLimitMilliseconds,
    formLimit: formLimitMilliseconds,
    readingLimit: readingLimitMilliseconds,
    walletLimit: walletLimitMilliseconds,
    untilNextLookUp: ({ context }) =>
      lookUpDelaysMilliseconds[Math.min(context.lookUps, lookUpDelaysMilliseconds.length) - 1] ?? 1_000,
  },
});

/** In parallel with the payment, so that the typed card data stay in the form. */
const cardForm = checkout.createStateConfig({
  initial: 'opening',
  on: {
    'form.shown': {
      target: '.cardShown',
      actions: assign({ form: ({ event }) => event.form, formProblem: undefined }),
    },
    'form.failed': { target: '.cardUnavailable', actions: assign({ formProblem: ({ event }) => event.problem }) },
  },
  states: {
    opening: { always: [{ guard: 'isWithoutContact', target: 'notOffered' }, { target: 'loadingCard' }] },
    /** Until a wallet gives the contact, no form loads, so its time limit does not run. */
    notOffered: { on: { 'card.read': 'loadingCard' } },
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

/** No request has been sent to our server yet. */
const tokenizing = checkout.createStateConfig({
  tags: 'busy',
  invoke: {
    src: 'readCard',
    input: ({ context }) => ({ reader: present(context.reader), order: present(context.order) }),
    onDone: { actions: raise(({ event }) => event.output) },
    onError: { actions: raise({ type: 'card.unreadable' }) },
  },
  after: {
    walletLimit: { guard: 'isWallet', actions: assign({ notice: { code: 'WalletSilent' } }) },
    readingLimit: { actions: raise({ type: 'card.unreadable' }) },
  },
  on: {
    // Its late token is ignored.
    'wallet.left': { guard: 'isWallet', target: 'ready', actions: assign({ notice: undefined }) },
    // Stored before the request, so that the outcome can always be looked up.
    'card.read': {
      target: 'sent',
      actions: [
        { type: 'remember', params: ({ event }) => event.attempt },
        { type: 'keepOrder', params: ({ event: { order } }) => ({ order, shownTotal: order.totalAmount }) },
        assign({
          notice: undefined,
          token: ({ event }) => event.token,
          attempt: ({ event }) => event.attempt,
          order: ({ event }) => event.order,
          isElsewhere: false,
        }),
      ],
    },
    'card.invalid': {
      target: 'ready',
      actions: assign({ notice: ({ event }) => ({ code: 'CardInvalid', fields: event.fields }) }),
    },
    'card.contactIncomplete': {
      target: 'ready',
      actions: assign({ notice: ({ event }) => ({ code: 'ContactIncomplete', mistakes: event.mistakes }) }),
    },
    'card.verificationCanceled': { target: 'ready', actions: assign({ notice: { code: 'VerificationCanceled' } }) },
    'card.dismissed': { target: 'ready', actions: assign({ notice: undefined }) },
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

/** Paying again is impossible until the outcome is known. */
const unsure = checkout.createStateConfig({
  entry: assign({ lookUps: 0, unknownLookUps: 0 }),
  initial: 'looking',
  states: {
    looking: {
      entry: assign({ lookUps: ({ context }) => context.lookUps + 1 }),
      invoke: {
        src: 'lookUp',
        input: ({ context }) => ({ idempotencyKey: present(context.attempt).idempotencyKey }),
        onDone: { actions: raise(({ event }) => event.output) },
        onError: 'waiting',
      },
      on: {
        'payment.unsure': {
          target: 'waiting',
          actions: assign({ unknownLookUps: 0, message: ({ event }) => event.message }),
        },
        'lookUp.unreachable': 'waiting',
        'lookUp.unheard': [
          { guard: 'hasNeverArrived', actions: raise({ type: 'payment.voided' }) },
          { target: 'waiting', actions: assign({ unknownLookUps: ({ context }) => context.unknownLookUps + 1 }) },
        ],
      },
    },
    waiting: {
      after: { untilNextLookUp: 'looking' },
      on: { 'check.pressed': 'looking', 'connection.restored': 'looking' },
    },
  },
});

/** Only a server answer leaves this state, so leaving it forgets the attempt. */
const sent = checkout.createStateConfig({
  initial: 'charging',
  states: { charging, unsure },
  exit: [{ type: 'forget', params: ({ context }) => present(context.attempt) }, assign({ token: undefined })],
  on: {
    'payment.captured': { target: 'paid', actions: assign({ paymentId: ({ event }) => event.paymentId }) },
    'payment.declined': {
      target: 'ready',
      actions: [
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
        assign({
          attempt: undefined,
          notice: ({ event: { message, isAboutCart } }) => ({ code: 'Refused', message, isAboutCart }),
        }),
        { type: 'announceFailure', params: ({ event }) => ({ message: event.message }) },
      ],
    },
    'payment.voided': {
      target: 'ready',
      actions: assign({ attempt: undefined, notice: { code: 'NothingCharged' } }),
    },
    'payment.repriced': {
      target: 'priceChanged',
      actions: [
        {
          type: 'keepOrder',
          params: ({ context, event: { order } }) => ({ order, shownTotal: (context.order ?? order).totalAmount }),
        },
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
    message: undefined,
    lookUps: 0,
    unknownLookUps: 0,
    paymentId: undefined,
  }),
  states: {
    card: cardForm,
    payment: {
      initial: 'opening',
      states: {
        opening: {
          always: [
            { guard: 'hasOpenAttempt', target: 'sent.unsure' },
            { guard: 'hasShownAnotherTotal', target: 'priceChanged' },
            { target: 'ready' },
          ],
        },
        ready,
        /** The Pay button shows the new total, so pressing it is the customer's consent. */
        priceChanged: ready,
        tokenizing,
        sent,
        paid: {},
      },
    },
  },
});

/** @throws Error if the state's value is undefined, which is a bug of this machine. */
function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The checkout’s state lacks a value that it must have');
  return value;
}
