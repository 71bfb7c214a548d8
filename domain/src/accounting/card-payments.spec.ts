import { describe, expect, test } from 'vitest';
import { type Day, parseDay } from '../day.ts';
import { cents } from '../money.ts';
import type { PayoutEntry } from '../payout/events.ts';
import { capturedA, completedA, disputeOpenedA, feeA, orphanA, orphanReturnedA } from '../testing/orders.ts';
import type { Booking } from './booking.ts';
import { createCardPayments, grossOf } from './card-payments.ts';

const november5 = '2026-11-05' as Day;

function monthsOf(...events: readonly unknown[]) {
  const report = createCardPayments((instant) => parseDay(instant.slice(0, 'yyyy-mm-dd'.length)));
  for (const event of events) {
    report.add({ event, day: '2026-10-20', postedOn: november5, basis: undefined, salesTax: undefined } as Booking);
  }
  return report;
}

const entry = (changed: Partial<PayoutEntry>): PayoutEntry => ({
  ...{ entryId: 'entry', activity: 'CHARGE', standing: 'elsewhere' },
  ...{ gross: cents(6000), fee: cents(186), net: cents(5814) },
  ...changed,
});
const payout = (...entries: readonly PayoutEntry[]) => ({ type: 'PayoutEntriesRecorded', entries });

describe('the card payments of a month', () => {
  test('are gross: refunds, disputes, returns and fees subtract nothing', () => {
    const report = monthsOf(capturedA, orphanA, completedA, disputeOpenedA, orphanReturnedA, feeA);
    expect(report.of('2026-10')).toEqual({
      ...{ payments: 2, orders: capturedA.amount, withoutOrder: orphanA.amount, outside: 0 },
    });
    expect(grossOf(report.of('2026-10'))).toBe(capturedA.amount + orphanA.amount);
  });

  test('stand in the month in which Square took them, whenever they are posted', () => {
    expect(monthsOf(capturedA).months()).toEqual(['2026-10']);
    const sold = payout(entry({ effectiveAt: '2026-09-30T20:00:00Z' }), entry({}));
    expect(monthsOf(sold).months()).toEqual(['2026-09', '2026-10']);
  });

  test('have from a payout only the charges that nothing else booked', () => {
    const standings = ['order', 'orphan', 'returned', 'payout', 'square', 'elsewhere', 'unknown'] as const;
    const charges = standings.map((standing) => entry({ standing }));
    const refund = entry({ activity: 'REFUND', gross: cents(-1000) });
    expect(monthsOf(payout(...charges, refund)).of('2026-10')).toEqual({
      ...{ payments: 2, orders: 0, withoutOrder: 6000, outside: 6000 },
    });
  });
});
