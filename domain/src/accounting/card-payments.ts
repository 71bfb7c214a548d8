import { type Day, monthOf } from '../day.ts';
import { type Cents, noCents, sumCents } from '../money.ts';
import type { Booking } from './booking.ts';

/** Gross, as Square reports them on Form 1099-K: no refund, dispute or fee is subtracted. */
export type CardPayments = {
  readonly payments: number;
  readonly orders: Cents;
  /** Also those that were returned. */
  readonly withoutOrder: Cents;
  /** Sales at the counter or with another program, which only a payout shows. */
  readonly outside: Cents;
};

type Part = Exclude<keyof CardPayments, 'payments'>;
type Taken = { readonly day: Day; readonly part: Part; readonly amount: Cents };

/** Undefined for an instant that cannot be read. */
type DayOf = (instant: string) => Day | undefined;

const none: CardPayments = { payments: 0, orders: noCents, withoutOrder: noCents, outside: noCents };

export function grossOf({ orders, withoutOrder, outside }: CardPayments): Cents {
  return sumCents([orders, withoutOrder, outside]);
}

/** By the month in which Square took them, also when the ledger learned of them later. */
export function createCardPayments(dayOf: DayOf) {
  const byMonth = new Map<string, CardPayments>();
  return {
    add: (booking: Booking): void => {
      for (const { day, part, amount } of takenBy(booking, dayOf)) {
        const sum = byMonth.get(monthOf(day)) ?? none;
        const changed = { payments: sum.payments + 1, [part]: sumCents([sum[part], amount]) };
        byMonth.set(monthOf(day), { ...sum, ...changed });
      }
    },
    months: (): readonly string[] => [...byMonth.keys()].toSorted(),
    of: (month: string): CardPayments => byMonth.get(month) ?? none,
  };
}

function takenBy({ event, day }: Booking, dayOf: DayOf): readonly Taken[] {
  switch (event.type) {
    case 'PaymentCaptured':
      return [{ day, part: 'orders', amount: event.amount }];
    case 'OrphanPaymentFound':
      return [{ day, part: 'withoutOrder', amount: event.amount }];
    case 'PayoutEntriesRecorded':
      // Events of their own have the charges of orders and of payments without an order.
      return event.entries.flatMap(({ activity, standing, gross, effectiveAt }): readonly Taken[] => {
        if (activity !== 'CHARGE' || (standing !== 'elsewhere' && standing !== 'unknown')) return [];
        const part = standing === 'elsewhere' ? 'outside' : 'withoutOrder';
        return [{ day: dayOf(effectiveAt ?? '') ?? day, part, amount: gross }];
      });
    default:
      return [];
  }
}
