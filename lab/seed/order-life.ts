import { tiers } from '@kilim/domain/catalog';
import { cents, noCents } from '@kilim/domain/money';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from '@kilim/domain/order/ids';
import * as payment from '@kilim/domain/order/payment';
import * as place from '@kilim/domain/order/place';
import * as reconcile from '@kilim/domain/order/reconcile';
import * as refund from '@kilim/domain/order/refund';
import { rugTotal } from '@kilim/domain/order/refund-allocation';
import { quoteOrder } from '@kilim/domain/quote';
import { builtInRates } from '@kilim/domain/rates';
import type { Result } from '@kilim/domain/result';
import { newRug, type Rug, side } from '@kilim/domain/rug';
import type { Actor } from '../../bff/src/core/ledger/append.ts';
import type { Random } from '../seeded-random.ts';

export type LifeStep = {
  readonly commandId: string;
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly events: readonly OrderEvent[];
};

export type Birth = {
  readonly orderId: OrderId;
  readonly contactDigest: string;
  readonly placedAt: number;
  /** Later events are dropped. */
  readonly until: number;
};

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/**
 * Realistic odds: most orders are paid at the first try, some cards are declined, a few orders are refunded or
 * disputed. The domain's deciders make every event.
 */
export function liveOrder(birth: Birth, random: Random): readonly LifeStep[] {
  const life = beginLife(birth);
  const squarePaymentId = pay(life, birth, random);
  if (squarePaymentId !== undefined) {
    assessFee(life, squarePaymentId);
    if (random.chance(0.06)) refundOrder(life, random);
    if (random.chance(0.003)) refundInDashboard(life, random);
    if (random.chance(0.002)) dispute(life, random);
  }
  return life.steps.filter(({ at }) => at <= birth.until);
}

type Decide = (events: readonly OrderEvent[]) => Result<readonly OrderEvent[], { readonly code: string }>;

type Life = {
  readonly steps: LifeStep[];
  readonly events: OrderEvent[];
  /** Milliseconds since 1970. */
  now: number;
  /** @returns false when the command was refused or had no effect. */
  readonly record: (step: Omit<LifeStep, 'at' | 'events'>, decide: Decide) => boolean;
  readonly wait: (milliseconds: number) => void;
};

function beginLife({ placedAt }: Birth): Life {
  const life: Life = {
    steps: [],
    events: [],
    now: placedAt,
    wait: (milliseconds) => {
      life.now += milliseconds;
    },
    record: (step, decide) => {
      const decision = decide(life.events);
      if (!decision.ok || decision.value.length === 0) return false;
      life.steps.push({ ...step, at: life.now, events: decision.value });
      life.events.push(...decision.value);
      return true;
    },
  };
  return life;
}

/** @returns Square's id of the payment; undefined without one. */
function pay(life: Life, birth: Birth, random: Random): string | undefined {
  const quote = quoteOrder(
    { rugs: drawRugs(random), deliveryOption: random.pick(['pickup', 'dropoff']) },
    builtInRates,
  );
  const source = { embedded: random.chance(0.6), variant: random.pick(['A', 'B']) };
  const { orderId, contactDigest } = birth;
  const placing: place.PlaceOrder = { orderId, quote, settingsVersion: 0, source, contactDigest };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const paymentId = drawHex(random, 32) as PaymentId;
    const idempotencyKey = drawHex(random, 36) as IdempotencyKey;
    const started = life.record({ commandId: `pay:${idempotencyKey}`, actor: 'customer' }, (events) => {
      const placed = place.decide(placing, events.reduce(place.evolve, place.notPlaced));
      if (!placed.ok) return placed;
      const state = [...events, ...placed.value].reduce(payment.evolve, payment.nothingPaid);
      const intent = { type: 'StartPayment', paymentId, idempotencyKey, amount: quote.total } as const;
      const starting = payment.decide(intent, state);
      return starting.ok ? { ok: true, value: [...placed.value, ...starting.value] } : starting;
    });
    if (!started) throw new Error(`The order ${orderId} could not be placed`);
    life.wait(random.between(300, 900));
    if (!random.chance(0.06)) return take(life, random, { paymentId, amount: quote.total });
    recordPayment(life, {
      type: 'RecordDecline',
      paymentId,
      code: 'GENERIC_DECLINE',
      category: 'PAYMENT_METHOD_ERROR',
    });
    if (random.chance(0.4)) return undefined;
    life.wait(random.between(20, 120) * second);
  }
  return undefined;
}

type Taking = Pick<Extract<payment.PaymentCommand, { type: 'StartPayment' }>, 'paymentId' | 'amount'>;

function take(life: Life, random: Random, { paymentId, amount }: Taking): string {
  const squarePaymentId = drawHex(random, 22);
  const card = { cardBrand: random.pick(['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS']), cardLastFour: digits(random, 4) };
  recordPayment(life, { type: 'RecordAuthorization', paymentId, squarePaymentId, amount, ...card });
  life.wait(random.between(200, 600));
  const receiptUrl = `https://squareup.com/receipt/preview/${squarePaymentId}`;
  const receipt = { receiptUrl, receiptNumber: squarePaymentId.slice(0, 4) };
  recordPayment(life, { type: 'RecordCapture', paymentId, amount, ...receipt, capturedAt: iso(life.now) });
  return squarePaymentId;
}

function recordPayment(life: Life, command: Exclude<payment.PaymentCommand, { type: 'StartPayment' }>): void {
  life.record({ commandId: `${command.paymentId}:${command.type}`, actor: 'customer' }, (events) =>
    payment.decide(command, events.reduce(payment.evolve, payment.nothingPaid)),
  );
}

/** 2.9 % and 30 cents. */
function assessFee(life: Life, squareId: string): void {
  const captured = refundState(life).captured?.amount ?? noCents;
  life.wait(3 * minute);
  recordFact(life, { type: 'Fee', squareId, total: cents(Math.round((captured * 29) / 1000) + 30) });
}

function recordFact(life: Life, fact: Exclude<reconcile.SquareFact, { type: 'OrphanPayment' }>): void {
  const id = fact.type === 'Fee' ? `fee:${fact.squareId}:${fact.total}` : `${fact.type}:${JSON.stringify(fact)}`;
  life.record({ commandId: id, actor: 'reconciliation' }, (events) =>
    reconcile.decide(fact, events.reduce(reconcile.evolve, reconcile.nothingReconciled)),
  );
}

const reasons = ['Customer request', 'Damaged in the wash', 'Goodwill', 'Stain not removed'] as const;

function refundOrder(life: Life, random: Random): void {
  for (let count = random.between(1, 2); count > 0; count -= 1) {
    life.wait(random.between(2 * day, 12 * day));
    const refundId = drawHex(random, 32) as RefundId;
    const asked = chooseAmount(life, random);
    const request = { type: 'RequestRefund', refundId, reason: random.pick(reasons), requestedBy: 'admin' } as const;
    const askedAt = iso(life.now);
    const requested = life.record({ commandId: `refund:${refundId}`, actor: 'admin:admin' }, (events) =>
      refund.decide({ ...request, ...asked, askedAt }, events.reduce(refund.evolve, refund.nothingRefunded)),
    );
    if (requested) settle(life, random, { refundId, amount: asked.amount });
  }
}

type Asked = Pick<refund.RequestRefund, 'refundType' | 'amount' | 'items' | 'deliveryMinimum'>;

function chooseAmount(life: Life, random: Random): Asked {
  const state = refundState(life);
  const refundable = refund.refundableOf(state);
  const [rug] = refund.refundableCharges(state).rugs;
  const one = rug === undefined ? noCents : rugTotal(rug);
  if (random.chance(0.3) || one === 0) {
    return { refundType: 'full', amount: refundable, items: [], deliveryMinimum: noCents };
  }
  if (random.chance(0.6)) {
    return { refundType: 'partial', amount: one, items: [{ rugIndex: 0, amount: one }], deliveryMinimum: noCents };
  }
  return { refundType: 'partial', amount: cents(random.between(1, refundable)), items: [], deliveryMinimum: noCents };
}

type Settling = Pick<refund.RequestRefund, 'refundId' | 'amount'>;

function settle(life: Life, random: Random, { refundId, amount }: Settling): void {
  const squareRefundId = drawHex(random, 40);
  life.wait(random.between(300, 900));
  recordRefund(life, { type: 'RecordSubmission', refundId, squareRefundId });
  life.wait(random.between(day, 3 * day));
  if (random.chance(0.03)) recordRefund(life, { type: 'RecordFailure', refundId, squareRefundId, code: 'FAILED' });
  else recordRefund(life, { type: 'RecordCompletion', refundId, squareRefundId, amount, completedAt: iso(life.now) });
}

function recordRefund(life: Life, command: Exclude<refund.RefundCommand, refund.RequestRefund>): void {
  life.record({ commandId: `${command.refundId}:${command.type}`, actor: 'settle-worker' }, (events) =>
    refund.decide(command, events.reduce(refund.evolve, refund.nothingRefunded)),
  );
}

function refundInDashboard(life: Life, random: Random): void {
  life.wait(random.between(day, 5 * day));
  const refundable = refund.refundableOf(refundState(life));
  if (refundable === 0) return;
  const amount = cents(random.between(1, refundable));
  recordFact(life, { type: 'ExternalRefund', squareRefundId: drawHex(random, 40), amount, refundedAt: iso(life.now) });
}

function dispute(life: Life, random: Random): void {
  life.wait(random.between(5 * day, 30 * day));
  const squareDisputeId = drawHex(random, 22);
  const amount = refundState(life).captured?.amount ?? noCents;
  const about = { type: 'Dispute', squareDisputeId, amount, reason: 'NOT_AS_DESCRIBED' } as const;
  recordFact(life, about);
  life.wait(random.between(10 * day, 40 * day));
  recordFact(life, { ...about, outcome: random.pick(['won', 'lost', 'accepted']) });
}

function refundState(life: Life): refund.RefundState {
  return life.events.reduce(refund.evolve, refund.nothingRefunded);
}

function drawRugs(random: Random): readonly Rug[] {
  return Array.from({ length: random.pick([1, 1, 1, 2, 2, 3, 4]) }, () => {
    const tier = random.pick(tiers);
    return {
      ...newRug,
      width: side(random.between(2, 12), random.between(0, 11)),
      length: side(random.between(3, 16), random.between(0, 11)),
      tier,
      stainProtection: tier === 'premium' || random.chance(0.3),
      greenPad: random.chance(0.2),
      repairInspection: random.chance(0.1),
    };
  });
}

export function drawHex(random: Random, length: number): string {
  let drawn = '';
  while (drawn.length < length) drawn += random.whole(0x10000).toString(16).padStart(4, '0');
  return drawn.slice(0, length);
}

export function digits(random: Random, length: number): string {
  return Array.from({ length }, () => random.whole(10)).join('');
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
