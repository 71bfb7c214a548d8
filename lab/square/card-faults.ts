import { faultSchema, type RequestFault } from './faults.ts';
import { type CardFault, cardWithOutcome, type TestCard } from './test-cards.ts';
import { readToken } from './tokens.ts';
import type { World } from './world.ts';

export type SeenRequest = { readonly method: string; readonly path: string; readonly body: unknown };

export type CardFaults = ReturnType<typeof createCardFaults>;

/** By the number of a test card, a fixed number of times per payment. */
export function createCardFaults(world: World) {
  const counts = new Map<string, number>();
  return {
    take: (request: SeenRequest): RequestFault | undefined => {
      const found = cardFaultOf(world, request);
      if (found === undefined) return undefined;
      const count = counts.get(found.subject) ?? 0;
      if (count >= (found.fault.times ?? 1)) return undefined;
      counts.set(found.subject, count + 1);
      return faultSchema.parse(found.fault) as RequestFault;
    },
    forget: () => counts.clear(),
  };
}

type Found = { readonly subject: string; readonly fault: CardFault };

function cardFaultOf(world: World, { method, path, body }: SeenRequest): Found | undefined {
  if (method !== 'POST') return undefined;
  if (path === '/v2/payments') {
    const { source_id: source, idempotency_key: key } = (body ?? {}) as Record<string, unknown>;
    return faultOn('authorize', readToken(String(source))?.card, String(key));
  }
  const id = /^\/v2\/payments\/([^/]+)\/complete$/.exec(path)?.[1];
  const outcome = id === undefined ? undefined : world.store.state.payments.get(id)?.outcome;
  return outcome === undefined ? undefined : faultOn('complete', cardWithOutcome(outcome), String(id));
}

function faultOn(step: CardFault['on'], card: TestCard | undefined, subject: string): Found | undefined {
  return card?.fault?.on === step ? { subject: `${step} ${subject}`, fault: card.fault } : undefined;
}
