import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { CardProcessor } from './card-processor.ts';

type Observers = { readonly metrics: Metrics; readonly log: Logger };

/** Alerts the operator while Square rejects our credentials. */
export function observed<Card extends object>(card: Card, { metrics, log }: Observers): Card {
  const { squareCalls } = metrics;
  const watchCredentials = credentialsWatch(metrics, log);
  const measured = Object.entries(card).map(([verb, call]: [string, unknown]) => {
    if (!isCall(call)) return [verb, call];
    const timed = async (...args: unknown[]) => {
      const stop = squareCalls.startTimer({ verb });
      try {
        const outcome = await call(...args);
        stop({ outcome: kindOf(outcome) });
        watchCredentials(verb, outcome);
        return outcome;
      } catch (error) {
        stop({ outcome: 'thrown' });
        throw error;
      }
    };
    return [verb, timed];
  });
  return Object.fromEntries(measured) as Card;
}

type Call = (...args: unknown[]) => Promise<unknown>;

function isCall(value: unknown): value is Call {
  return typeof value === 'function';
}

const alertEveryMs = 60_000;

/** They need the same right of the token. */
const movingMoney: ReadonlySet<string> = new Set([
  'authorize',
  'complete',
  'cancel',
  'cancelByIdempotencyKey',
  'refund',
] satisfies readonly (keyof CardProcessor)[]);

/**
 * Without a valid token, or without the right to move money, every card payment fails, so one fatal line a minute is
 * logged. A call that only reads and lacks its right stops no payment.
 */
function credentialsWatch({ squareRefused }: Metrics, log: Logger): (verb: string, outcome: unknown) => void {
  let alertedAt = Number.NEGATIVE_INFINITY;
  let lacksRight = false;
  return (verb, outcome) => {
    const { kind = 'done', refusedCredentials, isMissingRight }: Outcome = isRecord(outcome) ? outcome : {};
    const movesMoney = movingMoney.has(verb);
    const isRefused =
      (kind === 'unavailable' || refusedCredentials !== undefined) && (movesMoney || isMissingRight !== true);
    // Timeouts and loading the SDK prove nothing about the token, and reading proves no right to move money.
    const isAccepted = kind !== 'unavailable' && kind !== 'unknown' && kind !== 'done' && (movesMoney || !lacksRight);
    if (isRefused || isAccepted) {
      lacksRight = isRefused && isMissingRight === true;
      squareRefused.set(isRefused ? 1 : 0);
    }
    if (!isRefused || performance.now() - alertedAt < alertEveryMs) return;
    alertedAt = performance.now();
    log.fatal('Square refuses our access token: no card can be charged and no refund can be made');
  };
}

type Outcome = { readonly kind?: unknown; readonly refusedCredentials?: unknown; readonly isMissingRight?: unknown };

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function kindOf(outcome: unknown): string {
  const kind = isRecord(outcome) ? outcome['kind'] : undefined;
  return typeof kind === 'string' ? kind : 'done';
}
