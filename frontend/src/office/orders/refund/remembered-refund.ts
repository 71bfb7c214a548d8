import { rugChargeNamesOnWire } from '@kilim/bff/contract/refund-charges';
import type { RefundRequest } from '@kilim/bff/contract/refund-request';
import * as z from 'zod/mini';
import { parseJson } from '../../../shared/parse-json.ts';
import { type Store, sessionStore } from '../../../shared/storage.ts';

// The contract's schema would decode the request, and its parts of zod would load with the customers' shared chunk.
const request = z.object({
  paymentId: z.string(),
  amount: z.string().check(z.refine((text) => /^\d+\.\d\d$/.test(text))),
  reason: z.string(),
  refundType: z.enum(['full', 'partial', 'charges']),
  rugItems: z.optional(z.array(z.object({ rugIndex: z.number(), amount: z.string(), reason: z.string() }))),
  charges: z.optional(
    z.array(z.object({ rugIndex: z.number(), charge: z.enum(rugChargeNamesOnWire), amount: z.string() })),
  ),
  deliveryMinimum: z.optional(z.string()),
  adminNotes: z.optional(z.string()),
  idempotencyKey: z.string().check(z.refine((key) => key.length >= 16)),
}) satisfies z.ZodMiniType<RefundRequest>;
const rememberedSchema = z.object({ orderId: z.string(), request });

type Remembered = { readonly orderId: string; readonly request: RefundRequest };

/** This tab never learned the outcome, and asks again with the same key. */
export function loadOpenRefund(orderId: string, store: Store = sessionStore): RefundRequest | undefined {
  const remembered = parse(store.read('openRefund'));
  return remembered?.orderId === orderId ? remembered.request : undefined;
}

export function rememberRefund(open: Remembered, store: Store = sessionStore): void {
  store.write('openRefund', JSON.stringify(open));
}

export function forgetRefund(orderId: string, store: Store = sessionStore): void {
  if (parse(store.read('openRefund'))?.orderId === orderId) store.remove('openRefund');
}

function parse(text: string | null): Remembered | undefined {
  return rememberedSchema.safeParse(parseJson(text)).data;
}
