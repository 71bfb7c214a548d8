import { type Quote, quoteOrder } from '@kilim/domain/quote';
import type { Rates } from '@kilim/domain/rates';
import type { OrderDraft } from './draft.ts';

/** Undefined if no rug has a size. The server computes the charged amount. */
export function quoteOf(
  { rugs, deliveryOption }: Pick<OrderDraft, 'rugs' | 'deliveryOption'>,
  rates: Rates,
): Quote | undefined {
  const quote = quoteOrder({ rugs: rugs.map(({ rug }) => rug), deliveryOption }, rates);
  return quote.rugs.some(({ area }) => area > 0) ? quote : undefined;
}
