import { type MailFault, mailFaults } from '../../mailbox/mail-faults.ts';
import type { Random } from '../../seeded-random.ts';
import type { FaultInput } from '../../square/faults.ts';
import type { AppendName } from './append-in-bytes.ts';
import type { AppendBreak, Silence, SilenceEnding } from './database-proxy.ts';
import type { DiskPart } from './own-database.ts';
import type { FaultPoint } from './points.ts';
import type { Direction } from './proxied-connection.ts';

export type Disaster =
  | { readonly kind: 'point'; readonly server: number; readonly point: FaultPoint; readonly act: 'die' | 'lose' }
  | { readonly kind: 'kill'; readonly atMs: number; readonly server: number }
  | {
      readonly kind: 'cut' | 'terminate' | 'crash' | 'forge' | 'replay' | 'replace servers' | 'restore';
      readonly atMs: number;
    }
  | { readonly kind: 'outage'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'freeze'; readonly atMs: number; readonly forMs: number; readonly who: number | 'database' }
  | { readonly kind: 'clock'; readonly atMs: number; readonly secondsAhead: number; readonly who: number | 'database' }
  | ({
      readonly kind: 'silence';
      readonly atMs: number;
      readonly forMs: number;
      readonly ending: SilenceEnding;
    } & Silence)
  | { readonly kind: 'crowd' | 'revoked' | 'storm'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'full'; readonly atMs: number; readonly forMs: number; readonly part: DiskPart }
  | { readonly kind: 'mail'; readonly atMs: number; readonly forMs: number; readonly fault: MailFault }
  | { readonly kind: 'break'; readonly event: AppendName; readonly at: AppendBreak }
  | { readonly kind: 'square'; readonly fault: FaultInput };

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

export function anyDisaster(random: Random): Disaster {
  if (random.chance(0.25)) return lastingDisaster(random, anyLength);
  return suddenDisaster(random);
}

/** Ends within 5 s. */
export function briefDisaster(random: Random): Disaster {
  if (random.chance(0.6)) return lastingDisaster(random, briefLength);
  const disaster = suddenDisaster(random);
  return disaster.kind === 'square' ? { ...disaster, fault: { ...disaster.fault, times: 1 } } : disaster;
}

type Length = {
  readonly freeze: (random: Random) => number;
  readonly silence: (random: Random) => number;
  readonly other: (random: Random) => number;
};

const briefLength: Length = {
  freeze: (random) => random.between(1000, 4900),
  silence: (random) => random.between(500, 4900),
  other: (random) => random.between(500, 4900),
};

/** A few freezes are far longer than any lease. */
const anyLength: Length = {
  freeze: (random) => (random.chance(0.95) ? random.between(1000, 8000) : random.between(8000, 90_000)),
  silence: (random) => random.between(500, 8000),
  other: (random) => random.between(500, 5000),
};

function lastingDisaster(random: Random, length: Length): Disaster {
  const atMs = random.between(20, 500);
  const kind = random.whole(100);
  if (kind < 20) {
    const who = random.chance(0.3) ? 'database' : random.whole(2);
    return { kind: 'freeze', atMs, forMs: length.freeze(random), who };
  }
  if (kind < 35) {
    const seconds = random.pick([5, 10, 40, 300, 3600]);
    const who = random.chance(0.6) ? 'database' : random.whole(2);
    return { kind: 'clock', atMs, secondsAhead: random.chance(0.5) ? seconds : -seconds, who };
  }
  if (kind < 47) {
    const direction = random.pick<Direction>(['both ways', 'to the database', 'to the server']);
    const ending = random.pick<SilenceEnding>(['resume', 'reset', 'forget']);
    const isForNewConnections = random.chance(0.5);
    return { kind: 'silence', atMs, forMs: length.silence(random), direction, isForNewConnections, ending };
  }
  if (kind < 55) return { kind: 'crowd', atMs, forMs: length.other(random) };
  if (kind < 63) return { kind: 'revoked', atMs, forMs: length.other(random) };
  if (kind < 71) return { kind: 'storm', atMs, forMs: length.other(random) };
  if (kind < 79) return { kind: 'full', atMs, forMs: length.other(random), part: random.pick(['tables', 'log']) };
  if (kind < 87) return { kind: 'mail', atMs, forMs: length.other(random), fault: random.pick(mailFaults) };
  return { kind: 'break', event: random.pick(events), at: random.pick(['request', 'answer']) };
}

const events: readonly [AppendName, ...AppendName[]] = [
  'PaymentStarted',
  'PaymentStarted',
  'PaymentAuthorized',
  'PaymentAuthorized',
  'PaymentCaptured',
  'PaymentCaptured',
  'PaymentDeclined',
  'PaymentVoided',
  'ProcessingFeeAssessed',
  'RefundRequested',
  'RefundSubmitted',
  'RefundCompleted',
  'RefundFailed',
];

/** From the start of the run. A disaster without a length ends as it begins. */
export function lastEndMs(disasters: readonly Disaster[]): number {
  const ends = disasters.map((disaster) => {
    const atMs = 'atMs' in disaster ? disaster.atMs : 0;
    return 'forMs' in disaster ? atMs + disaster.forMs : atMs;
  });
  return Math.max(0, ...ends);
}

function suddenDisaster(random: Random): Disaster {
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
  if (kind < 83) return { kind: 'replace servers', atMs };
  if (kind < 87) return { kind: 'restore', atMs };
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
