import type { PriceList } from '@kilim/domain/catalog';
import { quoteOrder } from '@kilim/domain/quote';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod/mini';
import { orderFields, orderId, variantOrB } from '../../../contract/order-request.ts';
import { currentOrder } from '../../../contract/quote.ts';
import { parseOrder } from './parse-order.ts';
import { quoteAnswer } from './wire-mapping.ts';

/**
 * The payment step outside of the frame (`CHECKOUT_TOP_LEVEL`). The browser keeps the frame's storage apart from the same origin's in a
 * window of its own, and an address is no place for anybody's name: so the form in the frame posts the order to `/checkout` in the
 * outermost window, and the page that answers holds it. Nothing is stored here and nothing is charged: the customer still has to press Pay.
 */

/** What the page takes over, as if it had been quoted there. */
export type HandedOverOrder = {
  readonly order: z.input<typeof currentOrder>;
  /** The A/B variant that the customer saw in the frame. */
  readonly variant: string;
};

export type HandOver = {
  readonly prices: () => PriceList;
  /** Ours: the only one that may hand an order over. */
  readonly origin: string;
};

export type HandOverRejection = { readonly status: 403 | 422 };

/** Fifty rugs take a tenth of it, percent signs and all. */
const mostBodyBytes = 256 * 1024;

export function limitHandOver(refused: (c: Context) => Response | Promise<Response>) {
  return bodyLimit({ maxSize: mostBodyBytes, onError: refused });
}

const handedOver = z.object({ ...orderFields, orderId, variant: variantOrB });

/**
 * Reads the order out of the posted form. What it costs is computed anew: prices in it are not even read. It keeps its id, so that an
 * order that was paid already cannot be paid again by going back and forth.
 */
export async function receiveOrder(
  c: Context,
  { prices, origin }: HandOver,
): Promise<Result<HandedOverOrder, HandOverRejection>> {
  if (!isFromOurForm(c, origin)) return rejected({ status: 403 });
  const parsed = handedOver.safeParse(parseJson(new URLSearchParams(await c.req.text()).get('order')));
  if (!parsed.success) return rejected({ status: 422 });
  const { orderId: keptId, customerInfo, variant } = parsed.data;
  const request = parseOrder(parsed.data);
  if (!request.ok) return rejected({ status: 422 });
  const order = { ...quoteAnswer(keptId, quoteOrder(request.value, prices())), customerInfo };
  return ok({ order: z.encode(currentOrder, order), variant });
}

/**
 * Another site's form could put an order of its own under a customer's hands. A browser says from where a form was sent: the form in the
 * frame is ours, whoever frames it. What says nothing is no form in a browser.
 */
function isFromOurForm(c: Context, origin: string): boolean {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');
  const site = c.req.header('sec-fetch-site');
  return isForm && (site === undefined ? c.req.header('origin') === origin : site === 'same-origin');
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
