import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';

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
        watchCredentials(outcome);
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

/** Without a valid token every card payment fails, so one fatal line a minute is logged. */
function credentialsWatch({ squareRefused }: Metrics, log: Logger): (outcome: unknown) => void {
  let alertedAt = Number.NEGATIVE_INFINITY;
  return (outcome) => {
    const kind = kindOf(outcome);
    const isRefused = kind === 'unavailable' || (isRecord(outcome) && outcome['refusedCredentials'] !== undefined);
    // Timeouts and loading the SDK prove nothing about the token.
    if (isRefused || (kind !== 'unknown' && kind !== 'done')) squareRefused.set(isRefused ? 1 : 0);
    if (!isRefused || performance.now() - alertedAt < alertEveryMs) return;
    alertedAt = performance.now();
    log.fatal('Square refuses our access token: no card can be charged and no refund can be made');
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function kindOf(outcome: unknown): string {
  const kind = isRecord(outcome) ? outcome['kind'] : undefined;
  return typeof kind === 'string' ? kind : 'done';
}
