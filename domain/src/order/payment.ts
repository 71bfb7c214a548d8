import { type Cents, noCents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import type {
  Becomes,
  CustomerPaid,
  OrderEvent,
  PaymentAuthorized,
  PaymentCaptured,
  PaymentDeclined,
  PaymentStarted,
  PaymentVoided,
  VoidReason,
} from './events.ts';
import type { IdempotencyKey, PaymentId } from './ids.ts';

export type PaymentAttempt = {
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
  /** `started` and `authorized` attempts are open and block all others. */
  readonly status: 'started' | 'authorized' | 'captured' | 'declined' | 'voided';
  readonly authorization?: PaymentAuthorized;
  readonly capture?: PaymentCaptured;
  readonly decline?: PaymentDeclined;
  readonly voided?: PaymentVoided;
};

export type PaymentState = {
  /** Undefined until the order is placed. */
  readonly total: Cents | undefined;
  readonly attempts: ReadonlyMap<PaymentId, PaymentAttempt>;
  /** Square's ids of payments that are returned. */
  readonly orphans: ReadonlySet<string>;
};

export const nothingPaid: PaymentState = { total: undefined, attempts: new Map(), orphans: new Set() };

export function evolve(state: PaymentState, event: OrderEvent): PaymentState {
  switch (event.type) {
    case 'OrderPlaced':
      return { ...state, total: event.total };
    case 'PaymentStarted': {
      const { paymentId, idempotencyKey, amount } = event;
      return withAttempt(state, { paymentId, idempotencyKey, amount, status: 'started' });
    }
    case 'PaymentAuthorized':
      return withAttempt(state, { ...known(state, event.paymentId), status: 'authorized', authorization: event });
    case 'PaymentCaptured':
      return withAttempt(state, { ...known(state, event.paymentId), status: 'captured', capture: event });
    case 'CustomerPaid': {
      const { paymentId, idempotencyKey, amount } = event;
      return withAttempt(state, { paymentId, idempotencyKey, amount, status: 'captured' });
    }
    case 'PaymentDeclined':
      return withAttempt(state, { ...known(state, event.paymentId), status: 'declined', decline: event });
    case 'PaymentVoided':
      return withAttempt(state, { ...known(state, event.paymentId), status: 'voided', voided: event });
    case 'OrphanPaymentFound':
      return { ...state, orphans: new Set(state.orphans).add(event.squarePaymentId) };
    // Later events do not change the capture.
    default:
      return state;
  }
}

export function capturedAttempt(state: PaymentState): PaymentAttempt | undefined {
  return [...state.attempts.values()].find(({ status }) => status === 'captured');
}

export function openAttempt(state: PaymentState): PaymentAttempt | undefined {
  return [...state.attempts.values()].find(({ status }) => status === 'started' || status === 'authorized');
}

export function attemptWithKey(state: PaymentState, key: IdempotencyKey): PaymentAttempt | undefined {
  return [...state.attempts.values()].find(({ idempotencyKey }) => idempotencyKey === key);
}

export type PaymentCommand =
  | Becomes<PaymentStarted, 'StartPayment'>
  | Becomes<CustomerPaid, 'RecordShopPayment'>
  /** Square's amount. */
  | (Becomes<PaymentAuthorized, 'RecordAuthorization'> & { readonly amount: Cents })
  /** Square's amount. */
  | Becomes<PaymentCaptured, 'RecordCapture'>
  | Becomes<PaymentDeclined, 'RecordDecline'>
  | Becomes<PaymentVoided, 'RecordVoid'>;

export type PaymentRejection =
  | { readonly code: 'OrderNotPlaced' }
  | { readonly code: 'AlreadyPaid'; readonly paymentId: PaymentId }
  | { readonly code: 'PaymentInProgress'; readonly paymentId: PaymentId; readonly idempotencyKey: IdempotencyKey }
  | { readonly code: 'AmountDiffers'; readonly expected: Cents; readonly offered: Cents }
  | { readonly code: 'UnknownPayment'; readonly paymentId: PaymentId }
  | { readonly code: 'AttemptClosed'; readonly paymentId: PaymentId; readonly status: PaymentAttempt['status'] }
  /** Its state changed since the decision to give it up. */
  | { readonly code: 'AttemptMovedOn'; readonly paymentId: PaymentId; readonly status: PaymentAttempt['status'] }
  | { readonly code: 'NotAuthorized'; readonly paymentId: PaymentId };

type Decision = Result<readonly OrderEvent[], PaymentRejection>;

/** A repeated fact records nothing, so a webhook, a worker and the customer's request may all report it. */
export function decide(command: PaymentCommand, state: PaymentState): Decision {
  if (command.type === 'StartPayment' || command.type === 'RecordShopPayment') return startPayment(command, state);
  const attempt = state.attempts.get(command.paymentId);
  if (attempt === undefined) return rejected({ code: 'UnknownPayment', paymentId: command.paymentId });
  switch (command.type) {
    case 'RecordAuthorization':
      return recordAuthorization(command, attempt, state);
    case 'RecordCapture':
      return recordCapture(command, attempt);
    case 'RecordDecline': {
      if (attempt.status === 'declined') return ok([]);
      if (attempt.status !== 'started') return closed(attempt);
      const { paymentId, code, category } = command;
      return ok([{ type: 'PaymentDeclined', paymentId, code, category }]);
    }
    case 'RecordVoid':
      return recordVoid(command, attempt);
    default:
      return unreachable(command);
  }
}

/** One attempt at a time, and none after the money is taken. */
function startPayment(
  command: PaymentCommand & { type: 'StartPayment' | 'RecordShopPayment' },
  state: PaymentState,
): Decision {
  const { idempotencyKey, amount } = command;
  if (state.total === undefined) return rejected({ code: 'OrderNotPlaced' });
  if (attemptWithKey(state, idempotencyKey) !== undefined) return ok([]);
  const captured = capturedAttempt(state);
  if (captured !== undefined) return rejected({ code: 'AlreadyPaid', paymentId: captured.paymentId });
  const open = openAttempt(state);
  if (open !== undefined) {
    return rejected({ code: 'PaymentInProgress', paymentId: open.paymentId, idempotencyKey: open.idempotencyKey });
  }
  if (amount !== state.total) return rejected({ code: 'AmountDiffers', expected: state.total, offered: amount });
  return ok([
    command.type === 'StartPayment' ? { ...command, type: 'PaymentStarted' } : { ...command, type: 'CustomerPaid' },
  ]);
}

/** `AttemptClosed`: the attempt was given up, and the caller must release the hold. */
function recordAuthorization(
  command: PaymentCommand & { type: 'RecordAuthorization' },
  attempt: PaymentAttempt,
  { orphans }: PaymentState,
): Decision {
  const isSameHold = attempt.authorization?.squarePaymentId === command.squarePaymentId;
  if (isSameHold && attempt.status !== 'voided') return ok([]);
  if (attempt.status !== 'started') return closed(attempt);
  // Orphan payments are returned, so no later attempt can use them.
  const offered = orphans.has(command.squarePaymentId) ? noCents : command.amount;
  if (offered !== attempt.amount) return rejected({ code: 'AmountDiffers', expected: attempt.amount, offered });
  const { amount: _, ...authorization } = command;
  return ok([{ ...authorization, type: 'PaymentAuthorized' }]);
}

function recordCapture(command: PaymentCommand & { type: 'RecordCapture' }, attempt: PaymentAttempt): Decision {
  if (attempt.status === 'captured') return ok([]);
  if (attempt.status === 'started') return rejected({ code: 'NotAuthorized', paymentId: attempt.paymentId });
  if (attempt.status !== 'authorized') return closed(attempt);
  if (command.amount !== attempt.amount) {
    return rejected({ code: 'AmountDiffers', expected: attempt.amount, offered: command.amount });
  }
  const { type: _, ...facts } = command;
  return ok([{ type: 'PaymentCaptured', ...facts }]);
}

/**
 * `PaymentAuthorized` is the intent to complete, so it excludes a void of the started attempt. After it, an attempt
 * ends without a charge only if Square says that the hold is gone.
 */
const givenUpFrom = {
  AuthorizationUnknown: 'started',
  AmountDiffers: 'started',
  CredentialsRefused: 'started',
  AuthorizationExpired: 'authorized',
  HoldReleased: 'authorized',
} as const satisfies Record<VoidReason, PaymentAttempt['status']>;

function recordVoid({ paymentId, reason }: PaymentCommand & { type: 'RecordVoid' }, attempt: PaymentAttempt): Decision {
  const { status } = attempt;
  if (status === 'voided') return ok([]);
  if (status !== 'started' && status !== 'authorized') return closed(attempt);
  if (status !== givenUpFrom[reason]) return rejected({ code: 'AttemptMovedOn', paymentId, status });
  return ok([{ type: 'PaymentVoided', paymentId, reason }]);
}

function closed(attempt: PaymentAttempt): Decision {
  return rejected({ code: 'AttemptClosed', paymentId: attempt.paymentId, status: attempt.status });
}

function withAttempt(state: PaymentState, attempt: PaymentAttempt): PaymentState {
  return { ...state, attempts: new Map(state.attempts).set(attempt.paymentId, attempt) };
}

function known(state: PaymentState, paymentId: PaymentId): PaymentAttempt {
  const attempt = state.attempts.get(paymentId);
  if (attempt === undefined) throw new Error(`The stream tells of payment ${paymentId}, which it never started`);
  return attempt;
}
