import type { Metrics } from '../metrics.ts';

/**
 * The same processor, with a measurement of every call: what was asked, how long it took, and which kind of answer came. Whatever
 * verbs a processor gets later are measured too.
 */
export function observed<Card extends object>(card: Card, { squareCalls }: Metrics): Card {
  const measured = Object.entries(card).map(([verb, call]: [string, unknown]) => {
    if (!isCall(call)) return [verb, call];
    const timed = async (...args: unknown[]) => {
      const stop = squareCalls.startTimer({ verb });
      try {
        const outcome = await call(...args);
        stop({ outcome: kindOf(outcome) });
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

function kindOf(outcome: unknown): string {
  const kind = typeof outcome === 'object' && outcome !== null && 'kind' in outcome ? outcome.kind : undefined;
  return typeof kind === 'string' ? kind : 'done';
}
