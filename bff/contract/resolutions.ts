import { resolutionReasons } from '@kilim/domain/accounting/resolutions';
import { parseOrderId } from '@kilim/domain/order/ids';
import * as z from 'zod/mini';
import { id } from './ids.ts';

const reason = z.enum(resolutionReasons);
const orderId = id(parseOrderId, 'This is not the id of an order');
const squareId = z.string().check(z.minLength(1), z.maxLength(255));

/** Takes a difference off the list. */
export const explanationRequest = z.object({
  code: z.string().check(z.minLength(1), z.maxLength(100)),
  squareId,
  reason,
});
export type ExplanationRequest = z.input<typeof explanationRequest>;

/** Books a payment without an order as income. */
export const orphanAssignment = z.object({ squareId, orderId, reason });
export type OrphanAssignment = z.input<typeof orphanAssignment>;

export const writeOffRequest = z.object({ squareId, reason });
export type WriteOffRequest = z.input<typeof writeOffRequest>;

/** Has Square refund a payment without an order. */
export const orphanRefundRequest = z.object({ squareId, reason });
export type OrphanRefundRequest = z.input<typeof orphanRefundRequest>;

/** `pending`: the next comparison records the refund. */
export const orphanRefund = z.object({ status: z.enum(['refunded', 'pending']) });
