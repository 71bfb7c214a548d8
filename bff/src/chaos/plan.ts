import type { FaultInput } from '../card/simulator/faults.ts';
import { type Random, seeded } from '../seeded-random.ts';
import type { FaultPoint } from './points.ts';

/** What one run does: who buys and gets money back, and what goes wrong meanwhile. Made from a seed alone. */
export type Plan = {
  readonly seed: number;
  readonly buyers: readonly BuyerPlan[];
  readonly disasters: readonly Disaster[];
};

export type BuyerPlan = {
  readonly startsAtMs: number;
  /** Test cards in the order in which they are tried; the last one is good. */
  readonly cards: readonly string[];
  /** How many times each request is sent, as by a double click or in two tabs, each time to another server. */
  readonly copies: number;
  /** The browser goes away before it is answered. */
  readonly hangsUpAfterMs: number | undefined;
  /** What is given back afterwards, all at once; in hundredths of the order. */
  readonly refunds: readonly RefundPlan[];
};

export type RefundPlan = { readonly percent: number; readonly clicks: number };

export type Disaster =
  | { readonly kind: 'point'; readonly server: number; readonly point: FaultPoint; readonly act: 'die' | 'lose' }
  | { readonly kind: 'kill'; readonly atMs: number; readonly server: number }
  | { readonly kind: 'cut' | 'terminate' | 'crash' | 'forge' | 'replay'; readonly atMs: number }
  | { readonly kind: 'outage'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'square'; readonly fault: FaultInput };

export function planOf(seed: number): Plan {
  const random = seeded(seed);
  const buyers = Array.from({ length: random.between(1, 4) }, () => buyer(random));
  const disasters = Array.from({ length: random.between(1, 4) }, () => disaster(random));
  return { seed, buyers, disasters };
}

const cardsThatFail = [
  'declined',
  'insufficient',
  'token-expired',
  'answer-lost',
  'answer-cut',
  'request-lost',
] as const;
const moreCards = [
  'gateway-timeout',
  'square-down',
  'pending',
  'capture-answer-lost',
  'capture-down',
  'refund-fails',
] as const;

function buyer(random: Random): BuyerPlan {
  const first = random.chance(0.4) ? [random.pick([...cardsThatFail, ...moreCards])] : [];
  return {
    startsAtMs: random.whole(300),
    cards: [...first, random.pick(['ok', 'ok', 'ok-mastercard', 'refund-rejected'])],
    copies: random.pick([1, 1, 2, 3]),
    hangsUpAfterMs: random.chance(0.15) ? random.between(1, 200) : undefined,
    refunds: random.chance(0.6) ? Array.from({ length: random.between(1, 3) }, () => refund(random)) : [],
  };
}

function refund(random: Random): RefundPlan {
  return { percent: random.pick([10, 30, 50, 70, 100]), clicks: random.pick([1, 1, 2]) };
}

const points: readonly [FaultPoint, ...FaultPoint[]] = [
  'before append PaymentStarted',
  'after append PaymentStarted',
  'before authorize',
  'after authorize',
  'before append PaymentAuthorized',
  'after append PaymentAuthorized',
  'before complete',
  'after complete',
  'before append PaymentCaptured',
  'after append PaymentCaptured',
  'before append PaymentDeclined',
  'after append PaymentDeclined',
  'before append PaymentVoided',
  'after append PaymentVoided',
  'before cancelByIdempotencyKey',
  'after cancelByIdempotencyKey',
  'after listForOrder',
  'before append RefundRequested',
  'after append RefundRequested',
  'before refund',
  'after refund',
  'before append RefundSubmitted',
  'after append RefundSubmitted',
  'after getRefund',
  'before append RefundCompleted',
  'after append RefundCompleted',
  'before append RefundFailed',
  'after append RefundFailed',
];

function disaster(random: Random): Disaster {
  const atMs = random.between(50, 900);
  const server = random.whole(2);
  const kind = random.whole(100);
  if (kind < 20) return { kind: 'point', server, point: random.pick(points), act: 'die' };
  if (kind < 45) return { kind: 'point', server, point: random.pick(points), act: 'lose' };
  if (kind < 50) return { kind: 'kill', atMs, server };
  if (kind < 58) return { kind: 'cut', atMs };
  if (kind < 63) return { kind: 'terminate', atMs };
  if (kind < 67) return { kind: 'crash', atMs };
  if (kind < 71) return { kind: 'outage', atMs, forMs: random.between(100, 1500) };
  if (kind < 75) return { kind: 'forge', atMs };
  if (kind < 79) return { kind: 'replay', atMs };
  return { kind: 'square', fault: squareFault(random) };
}

const paths = ['/v2/payments', '/v2/payments/*/complete', '/v2/payments/cancel', '/v2/refunds'] as const;
const pathsThatAreRead = ['/v2/payments', '/v2/payments/*', '/v2/refunds/*'] as const;

function squareFault(random: Random): FaultInput {
  const times = random.pick([1, 1, 2, 4]);
  if (random.chance(0.25)) {
    const kinds = ['webhook-drop', 'webhook-duplicate', 'webhook-reorder', 'webhook-bad-signature'] as const;
    return { kind: random.pick(kinds), times };
  }
  const isRead = random.chance(0.2);
  const where = isRead
    ? { method: 'GET', path: random.pick(pathsThatAreRead), times }
    : { method: 'POST', path: random.pick(paths), times };
  const kinds = ['hang-before', 'hang-after', 'drop-before', 'drop-after', 'truncate', 'html', 'empty'] as const;
  if (random.chance(0.6)) return { kind: random.pick(kinds), ...where };
  if (random.chance(0.5)) return { kind: 'delay', ms: random.pick([200, 700, 1500]), ...where };
  const status = random.pick([408, 429, 500, 503, 504]);
  return { kind: random.pick(['status', 'status-after']), status, ...where };
}

/** For the person who looks into a failure. */
export function describe({ buyers, disasters }: Plan): readonly string[] {
  return [...buyers.map((each) => `buyer ${JSON.stringify(each)}`), ...disasters.map((each) => JSON.stringify(each))];
}
