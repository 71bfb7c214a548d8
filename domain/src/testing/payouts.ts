import { cents } from '../money.ts';
import type { PayoutEntriesRecorded, PayoutEntry, PayoutFailed, PayoutPaid, PayoutRecorded } from '../payout/events.ts';
import type { SquarePayout } from '../payout/payout.ts';

/** 100.00 with a fee of 3.20: 96.80 are paid out. */
export const chargeEntry: PayoutEntry = {
  entryId: 'entry-charge',
  activity: 'CHARGE',
  gross: cents(10_000),
  fee: cents(320),
  net: cents(9680),
  effectiveAt: '2026-11-21T20:00:00.000Z',
  squarePaymentId: 'square-payment-a',
  standing: 'order',
};

export const reserveEntry: PayoutEntry = {
  entryId: 'entry-reserve',
  activity: 'RESERVE_HOLD',
  gross: cents(-500),
  fee: cents(0),
  net: cents(-500),
  standing: 'square',
};

export const payoutA: SquarePayout = {
  squarePayoutId: 'payout-a',
  status: 'sent',
  kind: 'batch',
  amount: cents(9180),
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
  arrivalDate: '2026-11-23',
  endToEndId: 'L2100000005',
};

export const payoutRecordedA: PayoutRecorded = {
  type: 'PayoutRecorded',
  squarePayoutId: 'payout-a',
  amount: cents(9180),
  kind: 'batch',
  sentAt: '2026-11-22T08:00:00.000Z',
  arrivalDate: '2026-11-23',
  endToEndId: 'L2100000005',
  totals: [
    { activity: 'CHARGE', entries: 1, gross: cents(10_000), fee: cents(320), net: cents(9680) },
    { activity: 'RESERVE_HOLD', entries: 1, gross: cents(-500), fee: cents(0), net: cents(-500) },
  ],
};

export const payoutEntriesA: PayoutEntriesRecorded = {
  type: 'PayoutEntriesRecorded',
  squarePayoutId: 'payout-a',
  entries: [chargeEntry, reserveEntry],
};

export const payoutPaidA: PayoutPaid = {
  type: 'PayoutPaid',
  squarePayoutId: 'payout-a',
  amount: cents(9180),
  paidAt: '2026-11-23T09:00:00.000Z',
};

export const payoutFailedA: PayoutFailed = {
  type: 'PayoutFailed',
  squarePayoutId: 'payout-a',
  amount: cents(9180),
  wasPaid: true,
  failedAt: '2026-11-25T09:00:00.000Z',
};
