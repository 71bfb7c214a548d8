import { dollars } from '@kilim/bff/contract/money';
import { currentOrder, orderedRug } from '@kilim/bff/contract/quote';
import * as z from 'zod/mini';
import { rememberFramedOrder } from '../shared/framed.ts';
import { parseJson } from '../shared/parse-json.ts';
import { localStore } from '../shared/storage.ts';
import { saveCurrentOrder } from '../shared/stored-order.ts';

type Page = {
  readonly getElementById: (id: string) => { readonly textContent: string | null; readonly remove: () => void } | null;
};

const handedOverSchema = z.object({ order: currentOrder, variant: z.string(), shownTotal: z.optional(dollars) });

/**
 * Removes the order that the iframe's form posted from the document, and stores it like one made here: it survives a
 * reload, and Back leads to its cart.
 */
export function takeHandedOverOrder(page: Page, nowMilliseconds: number): void {
  const block = page.getElementById('kilim-order');
  if (block === null) return;
  block.remove();
  const handedOver = handedOverSchema.safeParse(parseJson(block.textContent));
  if (!handedOver.success) return;
  const { order, variant, shownTotal } = handedOver.data;
  const { rugs, includeDelivery, deliveryOption, customerInfo } = order;
  const ordered = rugs.map((rug) => orderedRug.parse(rug));
  const draft = { rugs: ordered, includeDelivery, deliveryOption, customerInfo, currentStep: 1, activeRugIndex: 0 };
  saveCurrentOrder(order, shownTotal);
  rememberFramedOrder(order.orderId);
  localStore.write('rugFormState', JSON.stringify({ ...draft, timestamp: nowMilliseconds }));
  localStore.write('ab_checkout_variant', variant);
}
