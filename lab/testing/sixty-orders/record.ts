import type { Day } from '@kilim/domain/day';
import { differenceOf, supplementCharges, supplementQuote } from '@kilim/domain/intake/difference';
import type { Family } from '@kilim/domain/intake/family';
import * as intake from '@kilim/domain/intake/family';
import * as steps from '@kilim/domain/intake/intake';
import { type Cents, cents, noCents, sumCents } from '@kilim/domain/money';
import { taxWith } from '@kilim/domain/order/chosen-charges';
import type { MeasuredSize, OrderEvent, OrderPlaced, RefundedCharge } from '@kilim/domain/order/events';
import type { IdempotencyKey, PaymentId, RefundId } from '@kilim/domain/order/ids';
import * as place from '@kilim/domain/order/place';
import * as reconcile from '@kilim/domain/order/reconcile';
import * as refund from '@kilim/domain/order/refund';
import { noRugCharges, type OrderCharges, rugTotal, withBack } from '@kilim/domain/order/refund-allocation';
import * as reimbursement from '@kilim/domain/order/reimbursement';
import * as splitCorrection from '@kilim/domain/order/split-correction';
import type { Millipercent } from '@kilim/domain/percent';
import { type Quote, quoteOrder, type RugCharges } from '@kilim/domain/quote';
import { builtInRates, type Rates } from '@kilim/domain/rates';
import type { Result } from '@kilim/domain/result';
import type { Inches, Rug } from '@kilim/domain/rug';
import type { Sql } from '../../../bff/src/core/database/database.ts';
import { append } from '../../../bff/src/core/ledger/append.ts';
import { readOrder } from '../../../bff/src/core/ledger/read.ts';
import type { MonthPlan, PlannedFact, PlannedOrder, PlannedRefund } from './plan.ts';
import { recordOrphan, recordPayout, recordResolution } from './record-other-streams.ts';
import { allowed, commandOf, instant, orderIdOf, paymentOf, type Step } from './recorded.ts';

// The domain decides on each event, as the server does.

/** Known before the first closing, or between two closings. */
export async function recordMonth(sql: Sql, plan: MonthPlan, closingsBefore: number): Promise<void> {
  const isNow = ({ afterClosings = 0 }: { readonly afterClosings?: number }) => afterClosings === closingsBefore;
  for (const order of plan.orders) {
    if (closingsBefore === 0) await appendSteps(sql, order, [placed(order)]);
    const supplement = plan.orders.find(({ supplementOf }) => supplementOf?.number === order.number);
    for (const [index, fact] of order.facts.entries()) {
      if (isNow(fact)) await recordFact(sql, { order, supplement }, { ...fact, name: `${order.number}-${index}` });
    }
  }
  for (const orphan of plan.orphans.filter(isNow)) await recordOrphan(sql, orphan);
  if (closingsBefore === 0) for (const payout of plan.payouts) await recordPayout(sql, payout, plan);
  for (const resolution of plan.resolutions.filter(isNow)) await recordResolution(sql, resolution);
}

function placed(order: PlannedOrder): Step {
  const { supplementOf } = order;
  const command = {
    orderId: orderIdOf(order),
    supplementOf: supplementOf && orderIdOf(supplementOf),
    quote: quoteOf(order),
    settingsVersion: 0,
    source: { embedded: false, variant: 'B' },
    contactDigest: 'c'.repeat(64),
  };
  const [sold] = allowed(place.decide(command, place.notPlaced)) as readonly [OrderPlaced];
  const { paymentId, squarePaymentId } = paymentOf(order);
  const amount = sold.total;
  const idempotencyKey = `attempt-of-order-${order.number}` as IdempotencyKey;
  const started = { type: 'PaymentStarted', paymentId, idempotencyKey, amount } as const;
  const at = order.paidAt ?? '2025-11-23T12:00:00-08:00';
  if (order.paidInShop !== undefined) {
    const facts = { paymentId, idempotencyKey, amount, method: order.paidInShop, paidAt: instant(at) };
    return { at, events: [sold, { type: 'CustomerPaid', ...facts }] };
  }
  if (order.paidAt === undefined) {
    const second = paymentId.replace(/^0/, 'a') as PaymentId;
    return {
      at,
      events: [
        sold,
        started,
        { type: 'PaymentDeclined', paymentId, code: 'CARD_DECLINED', category: 'PAYMENT_METHOD_ERROR' },
        { ...started, paymentId: second, idempotencyKey: `second-attempt-${order.number}` as IdempotencyKey },
        { type: 'PaymentVoided', paymentId: second, reason: 'AuthorizationExpired' },
        { type: 'ContactErased', erasedBy: 'ada' },
      ],
    };
  }
  return {
    at,
    events: [
      sold,
      started,
      { type: 'PaymentAuthorized', paymentId, squarePaymentId, cardBrand: 'VISA', cardLastFour: '1111' },
      { type: 'PaymentCaptured', paymentId, amount, capturedAt: instant(at) },
      ...(order.delivery === 'pickup' ? [{ type: 'PickupAgreed', ...agreed } as const] : []),
    ],
  };
}

/** A supplement pays for the rugs as measured. */
function quoteOf({ supplementOf, ...order }: PlannedOrder): Quote {
  if (supplementOf !== undefined) {
    const { number, rugs } = supplementOf;
    const sizes = sizesOf(order.rugs);
    const known = [...placed({ ...order, number, rugs }).events, { type: 'RugsReceived', sizes } as const];
    const difference = differenceOf(familyOf(known), ratesOf(order));
    if (difference === undefined) throw new Error('A supplement of nothing');
    return supplementQuote(difference.placed, { sizes }, supplementCharges(difference));
  }
  const rugs = order.rugs.map((rug) => ({ ...rug, repairInspection: false }) as Rug);
  return quoteOrder({ deliveryOption: order.delivery, rugs }, ratesOf(order));
}

function sizesOf(rugs: PlannedOrder['rugs']): readonly MeasuredSize[] {
  return rugs.map(({ width, length }) => ({ width: width as Inches, length: length as Inches }));
}

function familyOf(events: readonly OrderEvent[]): Family {
  return { order: events.reduce(intake.evolve, intake.notReceived), supplements: new Map() };
}

/** With every step that a shop can record, and those that it takes back. */
function measuredSteps(at: string, known: readonly OrderEvent[], { order, supplement }: Measured): readonly Step[] {
  const rates = ratesOf(order);
  const events: OrderEvent[] = [];
  const act = (command: steps.IntakeCommand) =>
    events.push(...allowed(steps.decide(command, familyOf([...known, ...events]), rates)));
  act({ type: 'Receive', sizes: sizesOf(supplement.rugs) });
  const { due: amount } = differenceOf(familyOf([...known, ...events]), rates) ?? { due: noCents };
  const seen = { measurement: 1, amount };
  act({ type: 'Waive', reason: 'Goodwill', ...seen });
  act({ type: 'Undo', step: 'waived' });
  const expiresOn = '2025-12-27' as Day;
  act({ type: 'Ask', supplementId: orderIdOf({ number: supplement.number + 100 }), expiresOn, ...seen });
  act({ type: 'Withdraw' });
  act({ type: 'Ask', supplementId: orderIdOf(supplement), expiresOn, ...seen });
  act({ type: 'MarkReady' });
  act({ type: 'HandOver' });
  const [first, ...rest] = events;
  if (first === undefined) throw new Error('Nothing was measured');
  return [{ at, events: [first, ...rest] }];
}

const agreed = { day: '2026-12-01' as Day, window: 'morning' } as const;

function ratesOf({ prices, tax }: PlannedOrder): Rates {
  const tierPrices = {
    premium: cents(prices.premium),
    midrange: cents(prices.midrange),
    economy: cents(prices.economy),
  };
  const millipercent = tax.thousandths as Millipercent;
  return {
    ...builtInRates,
    tierPrices,
    salesTax: { ...builtInRates.salesTax, millipercent, since: tax.since as Day },
  };
}

type NamedFact = PlannedFact & { readonly name: string };

type Planned = { readonly order: PlannedOrder; readonly supplement: PlannedOrder | undefined };
type Measured = { readonly order: PlannedOrder; readonly supplement: PlannedOrder };

async function recordFact(sql: Sql, { order, supplement }: Planned, fact: NamedFact): Promise<void> {
  const { events } = await readOrder(sql, orderIdOf(order));
  const known = events.map(({ event }) => event);
  await appendSteps(sql, order, stepsOf(fact, known, { order, supplement }));
}

function stepsOf(fact: NamedFact, known: readonly OrderEvent[], { order, supplement }: Planned): readonly Step[] {
  const state = known.reduce(reconcile.evolve, reconcile.nothingReconciled);
  const { squarePaymentId } = paymentOf(order);
  switch (fact.what) {
    case 'measured':
      return supplement === undefined ? [] : measuredSteps(fact.at, known, { order, supplement });
    case 'fee': {
      const total = cents((state.fees.get(squarePaymentId) ?? 0) + fact.amount);
      return [step(fact.at, reconcile.decide({ type: 'Fee', squareId: squarePaymentId, total }, state))];
    }
    case 'refund':
      return refundSteps(fact, known);
    case 'refund at Square': {
      const about = { squareRefundId: `sq-external-${fact.name}`, refundedAt: instant(fact.at) };
      const amount = cents(fact.amount);
      return [step(fact.at, reconcile.decide({ type: 'ExternalRefund', ...about, amount }, state))];
    }
    case 'refund outside Square': {
      const { refunds } = state;
      const { amount } =
        typeof fact.amount === 'number' ? { amount: cents(fact.amount) } : linesOf(fact.amount, refunds);
      const paidOn = fact.at.slice(0, 'yyyy-mm-dd'.length) as Day;
      const command = {
        type: 'RecordReimbursement',
        reimbursementId: `check-of-order-${fact.name}` as RefundId,
        ...({ amount, method: 'check', paidOn, reference: '1042', reason: 'Goodwill', reimbursedBy: 'ada' } as const),
        recordedAt: instant(fact.at),
        possible: { first: paidOn, last: paidOn },
        lines: { rugs: [], deliveryMinimum: noCents },
      } as const;
      return [step(fact.at, reimbursement.decide(command, refunds))];
    }
    case 'refund corrected': {
      const [last] = [...splitCorrection.completedRefunds(state.refunds)].slice(-1);
      if (last === undefined) throw new Error('No refund to correct');
      const [correctedRefundId, { allocation }] = last;
      const left = withBack(refund.refundableCharges(state.refunds), allocation);
      const greenPad = cents(fact.greenPad);
      const tax = taxWith(rugOf(state.refunds.charges, 0), rugOf(left, 0), { stainProtection: noCents, greenPad });
      const lines = {
        rugs: [],
        charges: [
          { rugIndex: 0, charge: 'greenPad', amount: greenPad },
          { rugIndex: 0, charge: 'salesTax', amount: tax },
        ],
        deliveryMinimum: noCents,
      } as const;
      return [
        step(
          fact.at,
          splitCorrection.decide(
            { correctedRefundId, lines, why: 'To correct the sales tax', by: 'ada' },
            state.refunds,
          ),
        ),
      ];
    }
    case 'dispute': {
      const amount = state.refunds.captured?.amount ?? noCents;
      const dispute = {
        type: 'Dispute',
        squareDisputeId: `sq-dispute-${fact.name}`,
        amount,
        reason: 'NO_KNOWLEDGE',
      } as const;
      const opened = step(fact.openedAt, reconcile.decide(dispute, state));
      if (fact.closed === undefined) return [opened];
      const open = opened.events.reduce(reconcile.evolve, state);
      const { at, outcome } = fact.closed;
      return [opened, step(at, reconcile.decide({ ...dispute, outcome }, open))];
    }
  }
}

function refundSteps(fact: PlannedRefund & { readonly name: string }, known: readonly OrderEvent[]): readonly Step[] {
  const state = known.reduce(refund.evolve, refund.nothingRefunded);
  const refundId = `refund-of-order-${fact.name}` as RefundId;
  const requested = refund.decide(
    {
      type: 'RequestRefund',
      refundId,
      reason: fact.reason,
      ...linesOf(fact, state),
      requestedBy: 'ada',
      askedAt: instant(fact.requestedAt),
    },
    state,
  );
  const asked = step(fact.requestedAt, requested);
  const waiting = asked.events.reduce(refund.evolve, state);
  const squareRefundId = `sq-refund-${fact.name}`;
  const [{ amount = noCents } = {}] = asked.events as readonly { readonly amount?: Cents }[];
  const submitted = step(
    fact.requestedAt,
    refund.decide({ type: 'RecordSubmission', refundId, squareRefundId }, waiting),
  );
  const settled = fact.fails
    ? refund.decide({ type: 'RecordFailure', refundId, code: 'REFUND_DECLINED' }, waiting)
    : refund.decide(
        { type: 'RecordCompletion', refundId, squareRefundId, amount, completedAt: instant(fact.settledAt) },
        waiting,
      );
  return [asked, submitted, step(fact.settledAt, settled)];
}

function linesOf(fact: PlannedRefund, state: refund.RefundState) {
  const left = refund.refundableCharges(state);
  const whole = refund.refundableOf(state);
  const nothing = { items: [], charges: [], deliveryMinimum: noCents };
  if (fact.everything) return { ...nothing, refundType: 'full' as const, amount: whole };
  const items = (fact.rugs ?? []).map(({ rug, amount }) => ({
    rugIndex: rug,
    amount: amount === 'all' ? rugTotal(rugOf(left, rug)) : cents(amount),
  }));
  const charges = (fact.charges ?? []).flatMap(({ rug, charge, amount }): readonly RefundedCharge[] => {
    const taken = amount === 'all' ? rugOf(left, rug)[charge] : cents(amount);
    const tax = taxWith(rugOf(state.charges, rug), rugOf(left, rug), { ...noRugCharges, [charge]: taken });
    const named = { rugIndex: rug, charge, amount: taken };
    return tax === 0 ? [named] : [named, { rugIndex: rug, charge: 'salesTax', amount: tax }];
  });
  const minimum = fact.deliveryMinimum ?? 0;
  const deliveryMinimum = minimum === 'all' ? left.deliveryMinimum : cents(minimum);
  const named = [...items, ...charges].map(({ amount }) => amount);
  const amount = sumCents([...named, deliveryMinimum, cents(fact.beyond ?? 0)]);
  return { refundType: 'partial' as const, items, charges, deliveryMinimum, amount };
}

function rugOf({ rugs }: OrderCharges, index: number): RugCharges {
  const charges = rugs[index];
  if (charges === undefined) throw new RangeError(`No rug ${index}`);
  return charges;
}

async function appendSteps(sql: Sql, order: PlannedOrder, steps: readonly Step[]): Promise<void> {
  for (const { at, events } of steps) {
    const stream = await readOrder(sql, orderIdOf(order));
    const commandId = `${orderIdOf(order)}-${stream.version}`;
    const { outcome } = await append(sql, stream, { ...commandOf(commandId, at), events });
    if (outcome !== 'appended') throw new Error(`Not appended: ${outcome}`);
  }
}

function step(at: string, decided: Result<readonly OrderEvent[], { readonly code: string }>): Step {
  const [first, ...rest] = allowed(decided);
  if (first === undefined) throw new Error(`Nothing happens at ${at}`);
  return { at, events: [first, ...rest] };
}
