import { type Quote, quoteOrder } from '@kilim/domain/quote';
import { useMemo } from 'react';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { deliveryOptionOf, rugsOf, sameItems } from './selectors.ts';

/**
 * The price of the current order. Undefined if no rug has a size. The server computes the charged
 * amount.
 */
export function useQuote(): Quote | undefined {
  const drafts = useOrderForm(rugsOf, sameItems);
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const { prices } = useOffer();
  return useMemo(() => {
    const quote = quoteOrder({ rugs: drafts.map(({ rug }) => rug), deliveryOption }, prices);
    return quote.rugs.some(({ area }) => area > 0) ? quote : undefined;
  }, [drafts, deliveryOption, prices]);
}
