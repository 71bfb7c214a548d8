import type { LedgerEvent } from '@kilim/domain/ledger-event';

type KeyOf<Event> = Event extends unknown ? Exclude<keyof Event, 'type'> : never;
type PayloadKey = KeyOf<LedgerEvent>;

/**
 * The keys of payloads that each column of the event log shows, for any type of event. The first
 * key that holds a text counts. `hidden` lists the keys that no column shows.
 */
const keys = {
  paymentId: ['paymentId'],
  squareId: ['squareRefundId', 'squareDisputeId', 'squarePayoutId', 'squarePaymentId', 'squareId'],
  squareAt: ['capturedAt', 'completedAt', 'refundedAt', 'takenAt', 'returnedAt', 'paidAt', 'failedAt', 'sentAt'],
  reason: ['reason', 'code', 'outcome'],
  hidden: [
    ...[
      'orderId',
      'rugs',
      'deliveryOption',
      'lines',
      'salesTax',
      'total',
      'settingsVersion',
      'source',
      'contactDigest',
    ],
    ...['idempotencyKey', 'amount', 'cardBrand', 'cardLastFour', 'receiptUrl', 'receiptNumber', 'category'],
    ...['refundId', 'refundType', 'notes', 'textDigest', 'items', 'charges', 'deliveryMinimum'],
    ...['allocation', 'split', 'requestedBy', 'reimbursementId', 'method', 'paidOn', 'reimbursedBy', 'recordedAt'],
    ...['dueAt', 'reference', 'erasedBy', 'kind', 'arrivalDate', 'totals', 'entries', 'wasPaid'],
    ...['through', 'timeZone', 'endsAt', 'horizon', 'chart', 'by'],
    ...['closing', 'exportEdition', 'counts', 'balances', 'files', 'openPoints'],
    ...['version', 'settings', 'username', 'how', 'endedSessions'],
    ...['role', 'purpose', 'from', 'to', 'revokedTokens', 'count', 'stated', 'before', 'after'],
    ...['undoes', 'correctedRefundId', 'why'],
  ],
} as const satisfies Record<string, readonly PayloadKey[]>;

type Listed = (typeof keys)[keyof typeof keys][number];

/** A key of a new event does not compile until it is listed: the error names it. */
export const payloadColumns: typeof keys & Record<Exclude<PayloadKey, Listed>, never> = keys;
