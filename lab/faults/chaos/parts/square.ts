import { createSquareProcessor as createReal, type SquareProcessor } from '../../../../bff/src/core/square/square.ts';
import { unknown } from '../../../../bff/src/core/square/square-answer.ts';
import { changes, passing } from '../inside.ts';
import type { PointName } from '../points.ts';

export * from '../../../../bff/src/core/square/square.ts';

type Options = Parameters<typeof createReal>[0];
type Call = (...args: unknown[]) => Promise<unknown>;

/** With a shorter timeout, and a fault point on either side of each call. */
export function createSquareProcessor(options: Options): SquareProcessor {
  const real = createReal({ ...options, timeoutSeconds: changes.squareTimeoutSeconds });
  const { applicationId, warmUp, ...verbs } = real;
  const calls = Object.entries(verbs).map(([verb, call]) => [verb, withPoints(verb as PointName, call as Call)]);
  return { ...Object.fromEntries(calls), applicationId, warmUp } as SquareProcessor;
}

function withPoints(verb: PointName, call: Call): Call {
  return async (...args) => {
    if (await passing(`before ${verb}`)) return unknown('lost before it was sent');
    const outcome = await call(...sabotagedArguments(verb, args));
    if (await passing(`after ${verb}`)) return unknown('the answer was lost');
    return sabotagedOutcome(verb, outcome);
  };
}

function sabotagedArguments(verb: PointName, args: readonly unknown[]): readonly unknown[] {
  if (changes.sabotage !== 'fresh-key-per-try') return args;
  const [request] = args as [Record<string, unknown>];
  if (verb === 'authorize') return [{ ...request, idempotencyKey: crypto.randomUUID() }];
  if (verb === 'refund') return [{ ...request, refundId: crypto.randomUUID() }];
  return args;
}

function sabotagedOutcome(verb: PointName, outcome: unknown): unknown {
  const isUnknown = (outcome as { kind: string }).kind === 'unknown';
  if (changes.sabotage !== 'timeout-is-failure' || !isUnknown) return outcome;
  const refusal = { code: 'GATEWAY_TIMEOUT', category: 'API_ERROR' };
  if (verb === 'authorize') return { kind: 'declined', ...refusal };
  return verb === 'refund' ? { kind: 'refused', ...refusal } : outcome;
}
