import type { RefundRequest } from '@kilim/bff/contract/refund-request';
import { type Cents, formatDollars, noCents, parseDollars } from '@kilim/domain/money';
import { assign, fromPromise, raise, setup } from 'xstate';
import type { PasswordCheck, Proving } from '../../shared/session/session-calls.ts';
import {
  afterChange,
  amountOf,
  edited,
  emptyForm,
  type FormEdit,
  type FormProblem,
  problemOf,
  type Refundable,
  type RefundForm,
  requestOf,
} from './refund-form.ts';
import { refundTexts } from './texts.ts';

/** After this long the outcome counts as unknown. */
export const answerLimitMilliseconds = 25_000;

/** Between two requests for the outcome; the last one repeats. */
export const askAgainDelaysMilliseconds = [1_500, 2_000, 3_000, 5_000, 10_000] as const;

export type RefundInput = {
  readonly orderId: string;
  readonly paymentId: string;
  readonly left: Refundable;
  /** Chosen at first. */
  readonly refundType: RefundForm['refundType'];
  readonly newKey: () => string;
  /** This browser never learned its outcome. */
  readonly open: RefundRequest | undefined;
};

export type RefundContext = Omit<RefundInput, 'open' | 'refundType'> & {
  readonly form: RefundForm;
  /** The next refund's; it changes only after a definite answer. */
  readonly idempotencyKey: string;
  readonly request: RefundRequest | undefined;
  readonly problem: FormProblem | undefined;
  readonly refusal: string | undefined;
  readonly passwordProblem: string | undefined;
  readonly isOutcomeOpen: boolean;
  readonly asked: number;
};

/** Only an answer of the server settles a refund. */
export type RefundOutcome =
  | { readonly type: 'refund.completed' }
  | { readonly type: 'refund.pending' }
  | { readonly type: 'refund.failed'; readonly message: string }
  | { readonly type: 'refund.refused'; readonly message: string }
  | { readonly type: 'password.needed' }
  | { readonly type: 'session.ended' }
  | { readonly type: 'refund.unsure' };

export type RefundEvent =
  | { readonly type: 'form.edited'; readonly edit: FormEdit }
  | { readonly type: 'left.changed'; readonly left: Refundable }
  | { readonly type: 'refund.pressed' }
  | { readonly type: 'password.given'; readonly proving: Proving }
  | { readonly type: 'password.declined' }
  | { readonly type: 'password.checked'; readonly check: PasswordCheck }
  | { readonly type: 'ask.pressed' }
  /** After a sign-in, or when the connection is back. */
  | { readonly type: 'way.cleared' }
  | RefundOutcome;

export type SendInput = { readonly request: RefundRequest };
export type PasswordInput = { readonly proving: Proving };
export type Announcement = {
  readonly title: string;
  readonly description: string;
  readonly variant: 'default' | 'destructive';
};

/** A machine without its actors is a bug. */
const notProvided = () => Promise.reject(new Error('This actor is provided by the page'));

const refund = setup({
  types: {
    input: {} as RefundInput,
    context: {} as RefundContext,
    events: {} as RefundEvent,
    tags: {} as 'leavable' | 'editable' | 'busy',
  },
  actors: {
    send: fromPromise<RefundOutcome, SendInput>(notProvided),
    checkPassword: fromPromise<PasswordCheck, PasswordInput>(notProvided),
  },
  actions: {
    announce: (_, _announcement: Announcement) => undefined,
    /** For a reload, until the outcome is known. */
    remember: (_, _open: { readonly orderId: string; readonly request: RefundRequest }) => undefined,
    forget: (_, _closed: { readonly orderId: string }) => undefined,
    refresh: () => undefined,
  },
  guards: {
    hasProblem: ({ context }) => problemOf(context.form, context.left) !== undefined,
    isMissing: ({ context }) => problemOf(context.form, context.left)?.toast !== undefined,
    hasOpenOutcome: ({ context }) => context.isOutcomeOpen,
    isRight: (_, check: PasswordCheck) => check === 'right',
    isSignedOut: (_, check: PasswordCheck) => check === 'signed-out',
  },
  delays: {
    answerLimit: answerLimitMilliseconds,
    untilNextQuestion: ({ context }) =>
      askAgainDelaysMilliseconds[Math.min(context.asked, askAgainDelaysMilliseconds.length) - 1] ?? 1_500,
  },
});

const markProblem = refund.assign({ problem: ({ context }) => problemOf(context.form, context.left) });

/** No request was sent, or the last one was refused or failed. */
const editable = refund.createStateConfig({
  tags: ['leavable', 'editable'],
  on: {
    'form.edited': {
      actions: assign({
        form: ({ context, event }) => edited(context.form, event.edit, context.left),
        problem: undefined,
      }),
    },
    'refund.pressed': [
      {
        guard: 'isMissing',
        actions: [
          markProblem,
          {
            type: 'announce',
            params: ({ context: { form, left } }) => ({
              ...present(problemOf(form, left)?.toast),
              variant: 'destructive',
            }),
          },
        ],
      },
      { guard: 'hasProblem', actions: markProblem },
      {
        target: 'submitting',
        // Before the request, so that a reload can ask for the outcome.
        actions: [
          assign({
            request: ({ context: { form, left, paymentId, idempotencyKey } }) =>
              requestOf(form, left, { paymentId, idempotencyKey }),
            problem: undefined,
            refusal: undefined,
            isOutcomeOpen: false,
            asked: 0,
          }),
          {
            type: 'remember',
            params: ({ context }) => ({ orderId: context.orderId, request: present(context.request) }),
          },
        ],
      },
    ],
  },
});

/** Asks for the password inside the dialog, and sends the same request again. */
const reauthenticating = refund.createStateConfig({
  entry: assign({ passwordProblem: undefined }),
  initial: 'asking',
  states: {
    asking: {
      on: {
        'password.given': 'checking',
        'password.declined': [
          { guard: 'hasOpenOutcome', target: '#refund.unsure' },
          { target: '#refund.editing', actions: { type: 'forget', params: ({ context }) => context } },
        ],
      },
    },
    checking: {
      tags: 'busy',
      invoke: {
        src: 'checkPassword',
        input: ({ event }) => ({
          proving: event.type === 'password.given' ? event.proving : { password: '', code: '' },
        }),
        onDone: { actions: raise(({ event }) => ({ type: 'password.checked', check: event.output })) },
        onError: { actions: raise({ type: 'password.checked', check: { message: refundTexts.failedText } }) },
      },
      on: {
        'password.checked': [
          { guard: { type: 'isRight', params: ({ event }) => event.check }, target: '#refund.submitting' },
          // The sign-in covers the dialog, and gives the password as well.
          { guard: { type: 'isSignedOut', params: ({ event }) => event.check }, target: 'asking' },
          {
            target: 'asking',
            actions: assign({
              passwordProblem: ({ event }) => (typeof event.check === 'string' ? undefined : event.check.message),
            }),
          },
        ],
      },
    },
  },
});

/** The same key makes it the same refund. */
const question = refund.createStateConfig({
  invoke: {
    src: 'send',
    input: ({ context }) => ({ request: present(context.request) }),
    onDone: { actions: raise(({ event }) => event.output) },
    onError: { actions: raise({ type: 'refund.unsure' }) },
  },
  after: { answerLimit: { actions: raise({ type: 'refund.unsure' }) } },
});

const settled = [
  { type: 'forget' as const, params: ({ context }: { context: RefundContext }) => ({ orderId: context.orderId }) },
  { type: 'refresh' as const },
];

/** Refused or failed. The amount is refundable again, unless Square takes no more refunds. */
const notMade = refund.createStateConfig({
  ...editable,
  entry: [
    ...settled,
    assign({
      idempotencyKey: ({ context }) => context.newKey(),
      isOutcomeOpen: false,
      refusal: ({ context }) => context.refusal ?? refundTexts.failedText,
    }),
  ],
});

export const refundMachine = refund.createMachine({
  id: 'refund',
  context: ({ input: { open, refundType, ...input } }) => ({
    ...input,
    form: { ...emptyForm, refundType, reason: open?.reason ?? '', notes: open?.adminNotes ?? '' },
    idempotencyKey: open?.idempotencyKey ?? input.newKey(),
    request: open,
    problem: undefined,
    refusal: undefined,
    passwordProblem: undefined,
    isOutcomeOpen: open !== undefined,
    asked: 0,
  }),
  initial: 'opening',
  on: {
    'left.changed': {
      actions: assign({
        left: ({ event }) => event.left,
        form: ({ context, event }) => afterChange(context.form, context.left, event.left),
      }),
    },
    'refund.completed': '.completed',
    'refund.pending': '.pending',
    'refund.failed': { target: '.failed', actions: assign({ refusal: ({ event }) => event.message }) },
    'refund.refused': { target: '.refused', actions: assign({ refusal: ({ event }) => event.message }) },
    'password.needed': '.reauthenticating',
    'refund.unsure': '.unsure',
    // Without a session this request did nothing, but the outcome of an earlier one may be open.
    'session.ended': [
      { guard: 'hasOpenOutcome', target: '.unsure' },
      { target: '.editing', actions: { type: 'forget', params: ({ context }) => context } },
    ],
  },
  states: {
    opening: { always: [{ guard: 'hasOpenOutcome', target: 'unsure' }, { target: 'editing' }] },
    editing: editable,
    refused: notMade,
    submitting: { ...question, tags: 'busy' },
    reauthenticating,
    /** No other refund can be started until the outcome is known. */
    unsure: {
      entry: assign({ isOutcomeOpen: true }),
      initial: 'waiting',
      states: {
        waiting: {
          entry: assign({ asked: ({ context }) => context.asked + 1 }),
          after: { untilNextQuestion: 'asking' },
          on: { 'ask.pressed': 'asking', 'way.cleared': 'asking' },
        },
        asking: { ...question, tags: 'busy' },
      },
    },
    pending: {
      tags: 'leavable',
      entry: [...settled, assign({ isOutcomeOpen: false })],
      on: { 'refund.pending': {} },
    },
    completed: {
      tags: 'leavable',
      type: 'final',
      entry: [
        ...settled,
        {
          type: 'announce',
          params: ({ context }) => {
            const { refundType } = present(context.request);
            const description = refundTexts.successfulText(
              refundType === 'full' ? 'full' : 'partial',
              formatDollars(requestedAmount(context)),
            );
            return { title: refundTexts.successful, description, variant: 'default' };
          },
        },
      ],
    },
    failed: notMade,
  },
});

/** On the button; undefined while it cannot be refunded. */
export function shownAmount({ form, left }: RefundContext): Cents | undefined {
  const amount = amountOf(form, left);
  return amount === undefined || amount < 1 || amount > left.remaining ? undefined : amount;
}

/** Of the request under way or answered. */
export function requestedAmount({ request }: RefundContext): Cents {
  return parseDollars(request?.amount) ?? noCents;
}

/** @throws Error when the value that the state guarantees is absent, which is a bug of this machine. */
function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The refund is in a state that it has no data for');
  return value;
}
