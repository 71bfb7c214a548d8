import { type Cents, cents, noCents, sumCents } from '../money.ts';
import type { OrderEvent, OrphanPaymentFound } from './events.ts';

/** A payment at Square that belongs to no open or captured attempt. */
export type Orphan = {
  readonly found: OrphanPaymentFound;
  /** By Square's refund id. */
  readonly returned: ReadonlyMap<string, Cents>;
};

/** By Square's payment id. */
export type Orphans = ReadonlyMap<string, Orphan>;

export const noOrphans: Orphans = new Map();

export function evolve(orphans: Orphans, event: OrderEvent): Orphans {
  switch (event.type) {
    case 'OrphanPaymentFound':
      return new Map(orphans).set(event.squarePaymentId, { found: event, returned: new Map() });
    case 'OrphanPaymentReturned': {
      const { squarePaymentId, squareRefundId, amount } = event;
      const orphan = orphans.get(squarePaymentId);
      if (orphan === undefined) throw new Error(`Payment ${squarePaymentId} was returned and never found`);
      const returned = new Map(orphan.returned).set(squareRefundId, amount);
      return new Map(orphans).set(squarePaymentId, { ...orphan, returned });
    }
    default:
      return orphans;
  }
}

export function leftOf({ found, returned }: Orphan): Cents {
  const left = found.amount - sumCents([...returned.values()]);
  return left > 0 ? cents(left) : noCents;
}

export function isReturned(orphan: Orphan): boolean {
  return leftOf(orphan) === 0;
}
