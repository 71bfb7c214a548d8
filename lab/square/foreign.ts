import { eventOf } from './events.ts';
import type { EventType, WireEvent } from './wire.ts';
import type { World } from './world.ts';

// What else is at a location: other applications, the counter, and kinds that Square will invent. All of it is
// certainly not the server's, so the server has to leave it alone, and to compare the rest.

type Item = { readonly id: string } & Readonly<Record<string, unknown>>;

type Kinds = {
  readonly payments: readonly Item[];
  readonly refunds: readonly Item[];
  readonly disputes: readonly Item[];
  readonly payout_entries: readonly Item[];
  /** No list shows them any more; `GET` does. */
  readonly older: readonly Item[];
};

const made = new WeakMap<World['store'], Kinds>();

function foreign(world: World): Kinds {
  const kinds = made.get(world.store) ?? make(world);
  made.set(world.store, kinds);
  return kinds;
}

const dollars = (amount: number) => ({ amount, currency: 'USD' });
const counter = { square_product: 'SQUARE_POS', application_id: 'sq0idp-the-counter' };
const otherApplication = { square_product: 'ECOMMERCE_API', application_id: 'sq0idp-another-application' };
const counterSale = 'FOREIGN-counter-sale';
const oldSale = 'FOREIGN-counter-sale-of-last-month';

function make(world: World): Kinds {
  const now = world.clock.now().toISOString();
  const about = { created_at: now, updated_at: now, location_id: world.identity.locationId };
  const payment = (id: string, more: object) => ({ id, ...about, amount_money: dollars(4200), ...more });
  const refund = (id: string, more: object) => ({ id, ...about, amount_money: dollars(1300), ...more });
  const dispute = (id: string, more: object) => ({ ...refund(id, more), dispute_id: id, reason: 'DUPLICATE' });
  const entry = (id: string, type: string) => ({ ...{ id, type, effective_at: now }, ...amounts });
  const amounts = { gross_amount_money: dollars(0), fee_amount_money: dollars(0), net_amount_money: dollars(0) };
  return {
    payments: [
      payment('FOREIGN-hold', { status: 'APPROVED', application_details: otherApplication }),
      // The other application's order ids have the form of ours.
      payment('FOREIGN-hold-of-an-order', {
        ...{ status: 'APPROVED', application_details: otherApplication },
        reference_id: '01934f3e-1111-7abc-8def-0123456789ab',
      }),
      payment('FOREIGN-canceled', { status: 'CANCELED', application_details: otherApplication }),
      payment(counterSale, { status: 'COMPLETED', source_type: 'CASH', application_details: counter }),
      payment('FOREIGN-canadian', {
        ...{ status: 'COMPLETED', application_details: { square_product: 'INVOICES' } },
        amount_money: { amount: 900, currency: 'CAD' },
      }),
      payment('FOREIGN-of-no-amount', { amount_money: null, status: 'COMPLETED', application_details: counter }),
      payment('FOREIGN-of-a-new-product', { status: 'SETTLED', application_details: { square_product: 'KIOSK' } }),
    ],
    refunds: [
      refund('FOREIGN-unlinked', { status: 'COMPLETED', unlinked: true, destination_type: 'CARD' }),
      refund('FOREIGN-of-a-new-status', { status: 'APPROVED', unlinked: true, destination_type: 'WALLET' }),
      refund('FOREIGN-refund-of-the-sale', { status: 'COMPLETED', payment_id: counterSale }),
      refund('FOREIGN-refund-of-the-old-sale', { status: 'COMPLETED', payment_id: oldSale }),
    ],
    disputes: [
      dispute('FOREIGN-dispute-of-nothing', { state: 'LOST' }),
      dispute('FOREIGN-dispute', { state: 'LOST', disputed_payment: { payment_id: oldSale } }),
      dispute('FOREIGN-dispute-of-a-new-state', {
        state: 'PRE_ARBITRATION',
        disputed_payment: { payment_id: counterSale },
      }),
    ],
    payout_entries: [
      entry('FOREIGN-entry', 'OTHER_ADJUSTMENT'),
      entry('FOREIGN-entry-of-a-new-type', 'LOYALTY_PROGRAM'),
    ],
    older: [payment(oldSale, { status: 'COMPLETED', application_details: counter })],
  };
}

/** The items of a list that fit the request. */
export function foreignOf(world: World, list: string, { pathname, searchParams }: URL): readonly Item[] {
  const items = (foreign(world) as Readonly<Record<string, readonly Item[]>>)[list] ?? [];
  const from = searchParams.get('updated_at_begin_time') ?? searchParams.get('begin_time');
  const payoutId = pathname.split('/').at(-2);
  // The counter sells all the time, so each span has some of them.
  const changed = (at: unknown) => (from !== null && Date.parse(String(at)) < Date.parse(from) ? from : at);
  return items.map((item) =>
    list === 'payout_entries'
      ? { ...item, id: `${item.id}-${payoutId}`, payout_id: payoutId }
      : { ...item, updated_at: changed(item['updated_at']) },
  );
}

/** @returns the answer to `GET` of a payment, a refund or a dispute. */
export function foreignNamed(world: World, id: string): Readonly<Record<string, unknown>> | undefined {
  const { payments, older, refunds, disputes } = foreign(world);
  const of = (subject: string, items: readonly Item[]) =>
    items.filter((item) => item.id === id).map((item) => ({ [subject]: item }));
  return [...of('payment', [...payments, ...older]), ...of('refund', refunds), ...of('dispute', disputes)][0];
}

/** One for each object, one of a payout that is not the location's, and one of a new type. */
export function foreignEvents(world: World): readonly WireEvent[] {
  const { payments, refunds, disputes } = foreign(world);
  const of = (type: string, subject: 'payment' | 'refund' | 'dispute' | 'payout', items: readonly Item[]) =>
    items.map((item) => {
      const data = { type: subject, id: item.id, object: { [subject]: item } };
      return eventOf(world, type as EventType, data).event;
    });
  return [
    ...of('payment.updated', 'payment', payments),
    ...of('payment.reviewed', 'payment', payments.slice(0, 1)),
    ...of('refund.created', 'refund', refunds),
    ...of('dispute.created', 'dispute', disputes),
    ...of('payout.sent', 'payout', [{ id: 'FOREIGN-payout' }]),
  ];
}
