import { type Cents, cents, sumCents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import type { ActivityTotal, PayoutEntry, PayoutEvent } from './events.ts';

export type PayoutState = {
  readonly version: number;
  readonly amount: Cents | undefined;
  readonly status: 'unknown' | 'sent' | 'paid' | 'failed';
};

export const noPayout: PayoutState = { version: 0, amount: undefined, status: 'unknown' };

export function evolve(state: PayoutState, event: PayoutEvent): PayoutState {
  const version = state.version + 1;
  switch (event.type) {
    case 'PayoutRecorded':
      return { version, amount: event.amount, status: 'sent' };
    case 'PayoutEntriesRecorded':
      return { ...state, version };
    case 'PayoutPaid':
      return { ...state, version, status: 'paid' };
    case 'PayoutFailed':
      return { ...state, version, status: 'failed' };
    default:
      return unreachable(event);
  }
}

export type SquarePayout = {
  readonly squarePayoutId: string;
  /** `sent`: not final, and the bank does not have the money. */
  readonly status: 'sent' | 'paid' | 'failed';
  readonly kind: 'batch' | 'simple';
  readonly amount: Cents;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly arrivalDate: string | undefined;
  readonly endToEndId: string | undefined;
};

export type RecordPayout = {
  readonly payout: SquarePayout;
  /** All of them; ignored if the payout is recorded. */
  readonly entries: readonly PayoutEntry[];
};

export type PayoutRejection =
  | { readonly code: 'AmountDiffers'; readonly recorded: Cents; readonly said: Cents }
  /** Not all are listed yet, or one has an unknown meaning. */
  | { readonly code: 'EntriesDoNotAddUp'; readonly amount: Cents; readonly entries: Cents }
  | { readonly code: 'PaidAfterItFailed' };

/** Two of Square's pages of 100. */
const entriesPerEvent = 200;

/** A repeated report records nothing. */
export function decide(
  { payout, entries }: RecordPayout,
  state: PayoutState,
): Result<readonly PayoutEvent[], PayoutRejection> {
  const { squarePayoutId, amount, status } = payout;
  if (state.amount !== undefined && state.amount !== amount) {
    return rejected({ code: 'AmountDiffers', recorded: state.amount, said: amount });
  }
  if (state.status === 'failed') return status === 'failed' ? ok([]) : rejected({ code: 'PaidAfterItFailed' });
  const events: PayoutEvent[] = [];
  if (state.status === 'unknown') {
    const total = sumCents(entries.map(({ net }) => net));
    if (payout.kind === 'batch' && total !== amount) {
      return rejected({ code: 'EntriesDoNotAddUp', amount, entries: total });
    }
    events.push(...recorded({ payout, entries }));
  }
  if (status === 'paid' && state.status !== 'paid') {
    events.push({ type: 'PayoutPaid', squarePayoutId, amount, paidAt: payout.updatedAt });
  }
  if (status === 'failed') {
    const wasPaid = state.status === 'paid';
    events.push({ type: 'PayoutFailed', squarePayoutId, amount, wasPaid, failedAt: payout.updatedAt });
  }
  return ok(events);
}

function recorded({ payout, entries }: RecordPayout): readonly PayoutEvent[] {
  const { squarePayoutId, amount, kind, createdAt: sentAt, arrivalDate, endToEndId } = payout;
  const parts: PayoutEvent[] = [];
  for (let first = 0; first < entries.length; first += entriesPerEvent) {
    const part = entries.slice(first, first + entriesPerEvent);
    parts.push({ type: 'PayoutEntriesRecorded', squarePayoutId, entries: part });
  }
  const atBank = {
    ...(arrivalDate === undefined ? {} : { arrivalDate }),
    ...(endToEndId === undefined ? {} : { endToEndId }),
  };
  const totals = totalsOf(entries);
  return [{ type: 'PayoutRecorded', squarePayoutId, amount, kind, sentAt, ...atBank, totals }, ...parts];
}

function totalsOf(entries: readonly PayoutEntry[]): readonly ActivityTotal[] {
  const activities = [...new Set(entries.map(({ activity }) => activity))].toSorted();
  return activities.map((activity) => {
    const same = entries.filter((entry) => entry.activity === activity);
    const sumOf = (part: 'gross' | 'fee' | 'net') => cents(same.reduce((sum, entry) => sum + entry[part], 0));
    return { activity, entries: same.length, gross: sumOf('gross'), fee: sumOf('fee'), net: sumOf('net') };
  });
}
