import { z } from 'zod';

const eventType = z.enum(['payment.created', 'payment.updated', 'refund.created', 'refund.updated']);
const times = z.int().min(1).default(1);

/** `*` matches one path segment: `/v2/payments/*` + `/complete`. */
const onRequest = { method: z.string().default('POST'), path: z.string().default('/v2/payments'), times };
const onEvent = { event: eventType.optional(), times };
const error = {
  status: z.int().min(200).max(599),
  category: z.string().optional(),
  code: z.string().optional(),
  detail: z.string().optional(),
  field: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
};
const page = { ...onRequest, after: z.boolean().default(false) };
const ms = z.int().min(0);

/** `-before`: the operation is not run. `-after`: its answer is lost. */
const requestFault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal(['hang-before', 'drop-before']), ...onRequest }),
  /** `truncate`: half of the answer, then a broken connection. */
  z.object({ kind: z.literal(['hang-after', 'drop-after', 'truncate']), ...onRequest }),
  /** Half of the answer, and the rest after `ms`. */
  z.object({ kind: z.literal('stall-body'), ...onRequest, ms: ms.default(5000) }),
  z.object({ kind: z.literal('status'), ...onRequest, ...error }),
  z.object({ kind: z.literal('status-after'), ...onRequest, ...error }),
  /** Runs the operation, and names this status. */
  z.object({ kind: z.literal('say-status'), ...onRequest, word: z.string() }),
  z.object({ kind: z.literal('html'), ...page, status: error.status.default(502) }),
  z.object({ kind: z.literal('empty'), ...page, status: error.status.default(200) }),
  /** Runs after `ms`, even when the caller has gone. */
  z.object({ kind: z.literal('delay'), ...onRequest, ms }),
]);

const refundStatusFault = z.object({
  kind: z.literal('refund-status'),
  times,
  to: z.enum(['PENDING', 'COMPLETED', 'REJECTED', 'FAILED']),
  /** 0: already in the answer. `PENDING` stays until a test settles it. */
  afterMs: ms.default(0),
});

const webhookFault = z.discriminatedUnion('kind', [
  /** `webhook-drop`: never sent. `webhook-reorder`: sent after the next one. */
  z.object({
    kind: z.literal(['webhook-drop', 'webhook-duplicate', 'webhook-reorder', 'webhook-bad-signature']),
    ...onEvent,
  }),
  z.object({ kind: z.literal('webhook-delay'), ...onEvent, ms }),
]);

export const faultSchema = z.union([requestFault, refundStatusFault, webhookFault]);

export type RequestFault = z.output<typeof requestFault>;
export type RefundStatusFault = z.output<typeof refundStatusFault>;
export type WebhookFault = z.output<typeof webhookFault>;
export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type SetFault = { readonly id: string; readonly fault: Fault; readonly left: number };

export type Faults = ReturnType<typeof createFaults>;

/** In memory only, so a restart removes them. */
export function createFaults() {
  const faults = new Map<string, SetFault>();
  let count = 0;
  const take = <Kind extends Fault>(isWanted: (fault: Fault) => fault is Kind): Kind | undefined => {
    for (const set of faults.values()) {
      if (!isWanted(set.fault)) continue;
      if (set.left > 1) faults.set(set.id, { ...set, left: set.left - 1 });
      else faults.delete(set.id);
      return set.fault;
    }
    return undefined;
  };
  return {
    add: (fault: Fault): SetFault => {
      count += 1;
      const set = { id: `fault-${count}`, fault, left: fault.times };
      faults.set(set.id, set);
      return set;
    },
    list: (): readonly SetFault[] => [...faults.values()],
    remove: (id: string) => faults.delete(id),
    clear: () => faults.clear(),
    /** The oldest matching fault, once. */
    takeForRequest: (method: string, path: string) => take((fault) => isForRequest(fault, method, path)),
    takeRefundStatus: () => take((fault) => fault.kind === 'refund-status'),
    takeForEvent: (event: string) => take((fault) => isForEvent(fault, event)),
  };
}

function isForRequest(fault: Fault, method: string, path: string): fault is RequestFault {
  return 'path' in fault && fault.method.toUpperCase() === method && isPathLike(fault.path, path);
}

function isPathLike(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const segments = path.split('/');
  return (
    wanted.length === segments.length && wanted.every((segment, at) => segment === '*' || segment === segments[at])
  );
}

function isForEvent(fault: Fault, event: string): fault is WebhookFault {
  if ('path' in fault || fault.kind === 'refund-status') return false;
  return fault.event === undefined || fault.event === event;
}
