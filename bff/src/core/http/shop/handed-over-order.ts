import { quoteOrder } from '@kilim/domain/quote';
import type { Rates } from '@kilim/domain/rates';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod/mini';
import { dollars } from '../../../../contract/money.ts';
import { orderFields, orderId, variantOrB } from '../../../../contract/order-request.ts';
import { currentOrder } from '../../../../contract/quote.ts';
import { jsonOf } from '../validate.ts';
import { parseCart } from './parse-order.ts';
import { quoteAnswer } from './wire-mapping.ts';

/**
 * The top-level page cannot read the frame's partitioned storage, and an address must not contain personal data. So the
 * form in the frame posts the order to `/checkout`, and the answered page contains it.
 */

export type HandedOverOrder = {
  readonly order: z.input<typeof currentOrder>;
  readonly variant: string;
  /** In the frame, for a checkout that says when it is another one. */
  readonly shownTotal?: number | undefined;
};

export type HandOver = {
  readonly rates: () => Rates;
  /** The origin of this server: only its form may hand an order over. */
  readonly origin: string;
};

export type HandOverRejection = { readonly status: 403 | 422 };

/** Fifty rugs take a tenth of this, with percent encoding. */
const mostBodyBytes = 256 * 1024;

export function limitHandOver(refused: (c: Context) => Response | Promise<Response>) {
  return bodyLimit({ maxSize: mostBodyBytes, onError: refused });
}

const handedOver = z.object({ ...orderFields, orderId, variant: variantOrB, shownTotal: z.optional(dollars) });

/**
 * The server ignores prices in the posted order. The order keeps its id, so a paid order cannot be paid again by going
 * back and forth.
 */
export async function receiveOrder(
  c: Context,
  { rates, origin }: HandOver,
): Promise<Result<HandedOverOrder, HandOverRejection>> {
  if (!isFromOurForm(c, origin)) return rejected({ status: 403 });
  const parsed = handedOver.safeParse(jsonOf(new URLSearchParams(await c.req.text()).get('order') ?? ''));
  if (!parsed.success) return rejected({ status: 422 });
  const { orderId: keptId, customerInfo, variant, shownTotal } = parsed.data;
  const request = parseCart(parsed.data);
  if (!request.ok) return rejected({ status: 422 });
  const order = { ...quoteAnswer(keptId, quoteOrder(request.value, rates())), customerInfo };
  return ok({ order: z.encode(currentOrder, order), variant, shownTotal: z.encode(z.optional(dollars), shownTotal) });
}

/**
 * Another site's form could replace the customer's order. A form in a frame has our origin, on any framing page.
 * Without an origin it is not a browser's form.
 */
function isFromOurForm(c: Context, origin: string): boolean {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');
  const site = c.req.header('sec-fetch-site');
  return isForm && (site === undefined ? c.req.header('origin') === origin : site === 'same-origin');
}
