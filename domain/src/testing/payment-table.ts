import { cents } from '../money.ts';
import type { OrderEvent, PaymentStarted, VoidReason } from '../order/events.ts';
import type { IdempotencyKey, PaymentId } from '../order/ids.ts';
import { decide, evolve, nothingPaid, type PaymentCommand, type PaymentState } from '../order/payment.ts';
import {
  authorizedA,
  capturedA,
  declinedA,
  orderAPlaced,
  orphanA,
  paidInShopA,
  startedA,
  totalA,
  voidedA,
} from './orders.ts';
import { tableOf } from './state-table.ts';

/** The last attempt, the hold that Square has for it, and the ids of one that would follow. */
type Subject = { readonly last: PaymentStarted; readonly hold: string; readonly following: PaymentStarted };

function lastAttempt(history: readonly OrderEvent[]): Subject {
  const started = history.flatMap((event) => {
    if (event.type === 'PaymentStarted') return [event];
    if (event.type !== 'CustomerPaid') return [];
    const { paymentId, idempotencyKey } = event;
    return [{ ...startedA, paymentId, idempotencyKey }];
  });
  const last = started.at(-1) ?? startedA;
  const authorized = history.findLast((event) => event.type === 'PaymentAuthorized');
  const isOfLast = authorized?.paymentId === last.paymentId;
  const number = `${started.length}`.padStart(32, '0');
  return {
    last,
    hold: isOfLast ? authorized.squarePaymentId : authorizedA.squarePaymentId,
    following: { ...startedA, paymentId: number as PaymentId, idempotencyKey: number as IdempotencyKey },
  };
}

const start = ({ type: _, ...facts }: PaymentStarted) => ({ type: 'StartPayment', ...facts }) as const;
const payInShop = ({ type: _, ...facts }: PaymentStarted) =>
  ({ ...paidInShopA, ...facts, type: 'RecordShopPayment' }) as const;
const authorize = ({ last, hold }: Subject, amount = totalA) =>
  ({ ...authorizedA, type: 'RecordAuthorization', paymentId: last.paymentId, squarePaymentId: hold, amount }) as const;
const capture = ({ last }: Subject, amount = totalA) =>
  ({ ...capturedA, type: 'RecordCapture', paymentId: last.paymentId, amount }) as const;
const decline = ({ last }: Subject) => ({ ...declinedA, type: 'RecordDecline', paymentId: last.paymentId }) as const;
const giveUp = ({ last }: Subject, reason: VoidReason) =>
  ({ type: 'RecordVoid', paymentId: last.paymentId, reason }) as const;
const unknown: Subject = { ...lastAttempt([]), last: { ...startedA, paymentId: 'f'.repeat(32) as PaymentId } };

export const paymentTable = tableOf<PaymentState, Subject, PaymentCommand>({
  title: 'The last attempt to pay',
  ...{ initial: nothingPaid, evolve, decide, subjectOf: lastAttempt },
  stateOf: ({ total, attempts }) => {
    const last = [...attempts.values()].at(-1);
    if (total === undefined || last === undefined) return total === undefined ? 'not placed' : 'placed';
    return last.status === 'captured' && last.capture === undefined ? 'paid in the shop' : last.status;
  },
  states: {
    'not placed': [],
    placed: [orderAPlaced],
    started: [orderAPlaced, startedA],
    authorized: [orderAPlaced, startedA, authorizedA],
    captured: [orderAPlaced, startedA, authorizedA, capturedA],
    declined: [orderAPlaced, startedA, declinedA],
    voided: [orderAPlaced, startedA, voidedA],
    'paid in the shop': [orderAPlaced, paidInShopA],
  },
  entries: ['not placed', 'placed'],
  waiting: ['started', 'authorized'],
  ends: ['captured', 'paid in the shop'],
  inputs: {
    StartPayment: {
      'with a new key': ({ following }) => start(following),
      'with the key of the attempt': ({ last }) => start(last),
      'of another amount': ({ following }) => start({ ...following, amount: cents(1) }),
    },
    RecordShopPayment: {
      'of the amount': ({ following }) => payInShop(following),
      'of another amount': ({ following }) => payInShop({ ...following, amount: cents(1) }),
    },
    RecordAuthorization: {
      'of the amount': (subject) => authorize(subject),
      'by another hold': (subject) => authorize({ ...subject, hold: `${subject.hold}-second` }),
      'of another amount': (subject) => authorize(subject, cents(1)),
      'by a payment that goes back': {
        given: [{ ...orphanA, squarePaymentId: authorizedA.squarePaymentId, amount: totalA }],
        commands: (subject) => authorize(subject),
      },
    },
    RecordCapture: {
      'of the amount': (subject) => capture(subject),
      'of another amount': (subject) => capture(subject, cents(1)),
    },
    RecordDecline: { '': decline },
    RecordVoid: {
      'before a hold is known': (subject) =>
        (['AuthorizationUnknown', 'AmountDiffers', 'CredentialsRefused'] as const).map((why) => giveUp(subject, why)),
      'of a hold that is gone': (subject) =>
        (['AuthorizationExpired', 'HoldReleased'] as const).map((why) => giveUp(subject, why)),
      'or another record, of an attempt that never started': () => [
        authorize(unknown),
        capture(unknown),
        decline(unknown),
        giveUp(unknown, 'HoldReleased'),
      ],
    },
  },
  // not placed | placed | started | authorized | captured | declined | voided | paid in the shop
  cells: `
StartPayment with a new key | OrderNotPlaced | started | PaymentInProgress | " | AlreadyPaid | started | started | AlreadyPaid
StartPayment with the key of the attempt | OrderNotPlaced | started | - | - | - | - | - | "
StartPayment of another amount | OrderNotPlaced | AmountDiffers | PaymentInProgress | " | AlreadyPaid | AmountDiffers | " | AlreadyPaid
RecordShopPayment of the amount | OrderNotPlaced | paid in the shop | PaymentInProgress | " | AlreadyPaid | paid in the shop | " | AlreadyPaid
RecordShopPayment of another amount | OrderNotPlaced | AmountDiffers | PaymentInProgress | " | AlreadyPaid | AmountDiffers | " | AlreadyPaid
RecordAuthorization of the amount | UnknownPayment | " | authorized | - | - | AttemptClosed | " | "
RecordAuthorization by another hold | UnknownPayment | " | authorized | AttemptClosed | " | " | " | "
RecordAuthorization of another amount | UnknownPayment | " | AmountDiffers | - | - | AttemptClosed | " | "
RecordAuthorization by a payment that goes back | UnknownPayment | " | AmountDiffers | - | - | AttemptClosed | " | "
RecordCapture of the amount | UnknownPayment | " | NotAuthorized | captured | - | AttemptClosed | " | -
RecordCapture of another amount | UnknownPayment | " | NotAuthorized | AmountDiffers | - | AttemptClosed | " | -
RecordDecline | UnknownPayment | " | declined | AttemptClosed | " | - | AttemptClosed | "
RecordVoid before a hold is known | UnknownPayment | " | voided | AttemptMovedOn | AttemptClosed | " | - | AttemptClosed
RecordVoid of a hold that is gone | UnknownPayment | " | AttemptMovedOn | voided | AttemptClosed | " | - | AttemptClosed
RecordVoid or another record, of an attempt that never started | UnknownPayment | " | " | " | " | " | " | "
OrderPlaced | placed | stays | " | " | " | " | " | "
PaymentStarted | stays | started | stays | started | " | " | " | "
PaymentAuthorized | cannot follow | " | authorized | stays | authorized | " | " | "
PaymentCaptured | cannot follow | " | captured | " | stays | captured | " | "
PaymentDeclined | cannot follow | " | declined | " | " | stays | declined | "
PaymentVoided | cannot follow | " | voided | " | " | " | stays | voided
CustomerPaid | stays | paid in the shop | " | " | " | " | " | stays`,
});
