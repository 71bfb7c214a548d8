import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryOf } from '../accounting/booking.ts';
import { isBooked, isSale } from '../accounting/money-of-events.ts';
import { type DeliveryOption, deliveryOptions, type Tier, tiers } from '../catalog.ts';
import type { Day } from '../day.ts';
import { type Cents, cents, noCents, smallerOf, sumCents } from '../money.ts';
import type { MeasuredSize, OrderEvent, OrderPlaced, RefundRequested } from '../order/events.ts';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from '../order/ids.ts';
import * as payment from '../order/payment.ts';
import * as place from '../order/place.ts';
import * as refund from '../order/refund.ts';
import { measuredReason, type RefundReason } from '../order/refund-reasons.ts';
import * as reimbursement from '../order/reimbursement.ts';
import { type Quote, quoteOrder } from '../quote.ts';
import { builtInRates, type Rates } from '../rates.ts';
import type { Result } from '../result.ts';
import type { Inches, Rug } from '../rug.ts';
import { differenceOf, measuredRefund } from './difference.ts';
import { evolve, evolveMoney, type Family, isWaived, noMoney, notReceived } from './family.ts';
import { decide, type IntakeCommand, payable } from './intake.ts';

// Families of an order and its supplements, with money that moves in any order. The oracle only adds what was paid and
// given back; it knows no charges.

const parent = '0199d5a0-7c00-7000-8000-000000000001' as OrderId;
const today = '2026-11-28' as Day;
const at = '2026-11-28T12:00:00.000Z';

const side = fc.integer({ min: 9, max: 240 }).map((inches) => inches as Inches);
const size: fc.Arbitrary<MeasuredSize> = fc.record({ width: side, length: side });
const rug: fc.Arbitrary<Rug> = fc
  .record({ width: side, length: side, tier: fc.constantFrom<Tier>(...tiers), greenPad: fc.boolean() })
  .chain((some) => fc.boolean().map((stain) => ({ ...some, repairInspection: false, stainProtection: stain })));
const price = (max: number) => fc.integer({ min: 1, max }).map(cents);
const perTier = (amount: fc.Arbitrary<Cents>) => fc.record({ premium: amount, midrange: amount, economy: amount });
const rates: fc.Arbitrary<Rates> = fc
  .record({ tierPrices: perTier(price(1500)), tierMinimums: perTier(price(20_000)), minimumOrder: price(60_000) })
  .map(({ minimumOrder, ...prices }) => ({
    ...builtInRates,
    ...prices,
    pickup: { ...builtInRates.pickup, minimumOrder },
  }));

type Action =
  | { readonly kind: 'measure'; readonly sizes: readonly MeasuredSize[]; readonly settles: boolean }
  | { readonly kind: 'waive' | 'undo' }
  | { readonly kind: 'give'; readonly how: 'refund' | 'check'; readonly part: number; readonly reason: RefundReason };

const action = (rugs: number): fc.Arbitrary<Action> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('measure' as const),
      sizes: fc.array(size, { minLength: rugs, maxLength: rugs }),
      settles: fc.boolean(),
    }),
    fc.record({ kind: fc.constantFrom('waive' as const, 'undo' as const) }),
    fc.record({
      kind: fc.constant('give' as const),
      how: fc.constantFrom('refund' as const, 'check' as const),
      part: fc.integer({ min: 1, max: 99 }),
      reason: fc.constantFrom<RefundReason>('Goodwill', 'Service not performed', measuredReason),
    }),
  );

const family = fc
  .record({
    rugs: fc.array(rug, { minLength: 1, maxLength: 4 }),
    delivery: fc.constantFrom(...deliveryOptions),
    rates,
    paysInShop: fc.infiniteStream(fc.boolean()),
  })
  .chain((order) =>
    fc.record({ order: fc.constant(order), actions: fc.array(action(order.rugs.length), { maxLength: 6 }) }),
  );

/** The streams of a family, as the server keeps them. */
function createShop(order: {
  readonly rugs: readonly Rug[];
  readonly delivery: DeliveryOption;
  readonly rates: Rates;
  readonly paysInShop: Iterator<boolean>;
}) {
  const streams = new Map<OrderId, OrderEvent[]>();
  let ids = 1;
  const nextNumber = () => {
    ids += 1;
    return String(ids).padStart(12, '0');
  };
  const nextId = () => `0199d5a0-7c00-7000-8000-${nextNumber()}` as OrderId;
  const eventsOf = (id: OrderId) => streams.get(id) ?? [];
  const must = <Value>(result: Result<Value, unknown>): Value => {
    if (!result.ok) throw new Error(JSON.stringify(result.rejection));
    return result.value;
  };
  const record = (id: OrderId, events: readonly OrderEvent[]): void => {
    streams.set(id, [...eventsOf(id), ...events]);
  };
  const pay = (id: OrderId, quote: Quote, supplementOf?: OrderId) => {
    const number = nextNumber();
    const isInShop = supplementOf !== undefined && order.paysInShop.next().value;
    const [paymentId, key] = [number.padStart(32, '0') as PaymentId, `key-${number}-abc` as IdempotencyKey];
    const about = { settingsVersion: 0, source: { embedded: false, variant: 'A' }, contactDigest: 'c' };
    record(id, must(place.decide({ orderId: id, supplementOf, quote, ...about }, place.notPlaced)));
    const command = (command: payment.PaymentCommand) =>
      record(id, must(payment.decide(command, eventsOf(id).reduce(payment.evolve, payment.nothingPaid))));
    if (isInShop) {
      const facts = { paymentId, idempotencyKey: key, amount: quote.total, paidAt: at };
      return command({ type: 'RecordShopPayment', method: 'cash', ...facts });
    }
    command({ type: 'StartPayment', paymentId, idempotencyKey: key, amount: quote.total });
    const card = { squarePaymentId: `square-${number}`, cardBrand: 'VISA', cardLastFour: '1111' };
    command({ type: 'RecordAuthorization', paymentId, amount: quote.total, ...card });
    command({ type: 'RecordCapture', paymentId, amount: quote.total, capturedAt: at });
  };
  const refundsOf = (id: OrderId) => eventsOf(id).reduce(refund.evolve, refund.nothingRefunded);
  const all = (): Family => ({
    order: eventsOf(parent).reduce(evolve, notReceived),
    supplements: new Map(
      [...streams].filter(([id]) => id !== parent).map(([id, events]) => [id, events.reduce(evolveMoney, noMoney)]),
    ),
  });
  pay(parent, quoteOrder({ rugs: order.rugs, deliveryOption: order.delivery }, order.rates));
  return {
    streams,
    nextId,
    pay,
    refundsOf,
    family: all,
    command: (command: IntakeCommand) => record(parent, must(decide(command, all(), order.rates))),
    refund: (
      id: OrderId,
      wanted: Pick<refund.RequestRefund, 'refundId' | 'amount' | 'reason' | 'charges' | 'deliveryMinimum'>,
    ) => {
      const about = {
        type: 'RequestRefund',
        refundType: 'partial',
        items: [],
        requestedBy: 'ada',
        askedAt: at,
      } as const;
      record(id, must(refund.decide({ ...about, ...wanted }, refundsOf(id))));
      const { refundId, amount } = wanted;
      const done = { type: 'RecordCompletion', refundId, squareRefundId: `sq-${refundId}`, completedAt: at } as const;
      record(id, must(refund.decide({ ...done, amount }, refundsOf(id))));
    },
    check: (id: OrderId, given: Pick<reimbursement.RecordReimbursement, 'reimbursementId' | 'amount' | 'reason'>) => {
      const about = { type: 'RecordReimbursement', method: 'check', paidOn: today, reimbursedBy: 'ada' } as const;
      const possible = { first: today, last: today };
      const lines = { rugs: [], deliveryMinimum: noCents };
      const command = { ...about, ...given, recordedAt: at, possible, lines };
      record(id, must(reimbursement.decide(command, refundsOf(id))));
    },
  };
}

type Shop = ReturnType<typeof createShop>;

/** Presses the offered buttons until nothing is due. */
function settle(shop: Shop, ratesSoldAt: Rates): void {
  for (let presses = 0; presses < 20; presses += 1) {
    const family = shop.family();
    const difference = differenceOf(family, ratesSoldAt);
    if (difference === undefined || difference.due === 0) return;
    if (difference.due < 0) {
      const offered = measuredRefund(family, difference, at);
      if (offered !== undefined) shop.refund(offered.orderId, offered);
      else if (!giveBackInShop(shop, { owed: cents(-difference.due), number: presses })) return;
      continue;
    }
    if (isWaived(family.order)) return;
    const seen = { measurement: difference.measurement.number, amount: difference.due };
    const supplementId = shop.nextId();
    shop.command({ type: 'Ask', supplementId, expiresOn: '2026-12-28' as Day, ...seen });
    const quote = payable(shop.family(), supplementId, { rates: ratesSoldAt, today });
    // A fully refunded order asks for nothing any more.
    if (!quote.ok) return;
    expect(quote.value.total).toBe(difference.due);
    for (const { charges } of quote.value.rugs) expect(Math.min(...Object.values(charges))).toBeGreaterThanOrEqual(0);
    shop.pay(supplementId, quote.value, parent);
  }
  throw new Error('The family never comes to rest');
}

/** What was paid in the shop is given back there. */
function giveBackInShop(shop: Shop, { owed, number }: { readonly owed: Cents; readonly number: number }): boolean {
  const paid = [...shop.streams.keys()].find((id) => refund.refundableOf(shop.refundsOf(id)) > 0);
  if (paid === undefined) return false;
  expect(shop.refundsOf(paid).captured?.squarePaymentId).toBeUndefined();
  const amount = smallerOf(owed, refund.refundableOf(shop.refundsOf(paid)));
  const times = shop.refundsOf(paid).reimbursements.size;
  const reimbursementId = `measured-in-shop-${number}-${times}-${paid.slice(-6)}` as RefundId;
  shop.check(paid, { reimbursementId, amount, reason: measuredReason });
  return true;
}

type NumberedAction = { readonly action: Action; readonly number: number };

function act(shop: Shop, { action, number }: NumberedAction, soldAt: Rates): void {
  switch (action.kind) {
    case 'measure':
      shop.command({ type: 'Receive', sizes: action.sizes });
      break;
    case 'undo':
      if (shop.family().order.measurements.length > 0) shop.command({ type: 'Undo', step: 'received' });
      break;
    case 'waive': {
      const difference = differenceOf(shop.family(), soldAt);
      if (difference === undefined || difference.due <= 0) return;
      const seen = { measurement: difference.measurement.number, amount: difference.due };
      shop.command({ type: 'Waive', reason: 'Goodwill', ...seen });
      break;
    }
    default: {
      for (const id of shop.streams.keys()) {
        const amount = cents(Math.floor((refund.refundableOf(shop.refundsOf(id)) * action.part) / 100));
        const refundId = `given-by-hand-${number}-${id.slice(-6)}` as RefundId;
        if (amount < 1) continue;
        const { reason } = action;
        if (action.how === 'check') shop.check(id, { reimbursementId: refundId, amount, reason });
        // Square refunds nothing that was paid in the shop.
        else if (shop.refundsOf(id).captured?.squarePaymentId === undefined) continue;
        else shop.refund(id, { refundId, amount, reason, deliveryMinimum: noCents });
      }
    }
  }
}

test('a family ends with the price of the measured rugs, whatever happened before', () => {
  fc.assert(
    fc.property(family, ({ order, actions }) => {
      const shop = createShop(order);
      for (const [number, some] of actions.entries()) {
        act(shop, { action: some, number }, order.rates);
        if (some.kind !== 'measure' || some.settles) settle(shop, order.rates);
      }
      settle(shop, order.rates);
      const { measurements, placed } = shop.family().order;
      const [measurement] = measurements.slice(-1);
      const events = [...shop.streams.values()].flat();
      for (const id of shop.streams.keys()) expect(refund.isConsistent(shop.refundsOf(id))).toBe(true);
      expectBalancedBooks(events);
      if (measurement === undefined || placed === undefined) return;

      const rugs = order.rugs.map((rug, index) => ({ ...rug, ...measurement.sizes[index] }));
      const { total } = quoteOrder({ rugs, deliveryOption: order.delivery }, order.rates);
      const kept = paidIn(events) - givenBack(events, () => true);
      const otherwise = givenBack(events, (reason) => reason !== measuredReason);
      const isExhausted = [...shop.streams.keys()].every((id) => refund.refundableOf(shop.refundsOf(id)) === 0);
      if (isExhausted) expect(kept).toBe(0);
      else if (isWaived(shop.family().order)) expect(kept).toBeLessThanOrEqual(total - otherwise);
      else expect(kept).toBe(total - otherwise);
    }),
    { numRuns: 10_000 },
  );
});

function paidIn(events: readonly OrderEvent[]): number {
  return sumCents(events.flatMap((event) => (isBooked(event) && isSale(event) ? [event.amount] : [])));
}

function givenBack(events: readonly OrderEvent[], counts: (reason: string) => boolean): number {
  return sumCents(
    events.flatMap((event) => {
      if (event.type !== 'RefundRequested' && event.type !== 'CustomerReimbursed') return [];
      return counts(event.reason) ? [event.amount] : [];
    }),
  );
}

function expectBalancedBooks(events: readonly OrderEvent[]): void {
  let placed: OrderPlaced | undefined;
  const requested = new Map<string, RefundRequested>();
  for (const event of events) {
    if (event.type === 'OrderPlaced') placed = event;
    if (event.type === 'RefundRequested') requested.set(event.refundId, event);
    if (!isBooked(event)) continue;
    const basis = isSale(event) ? placed : 'refundId' in event ? requested.get(event.refundId) : undefined;
    const entry = entryOf({ postedOn: today, day: today, event, basis, salesTax: undefined });
    expect(sumCents(entry.map(({ amount }) => amount))).toBe(0);
  }
}
