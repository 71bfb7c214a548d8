import { type Quote, quoteOrder } from '@kilim/domain/quote';
import { useMemo } from 'react';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { deliveryOptionOf, rugsOf, sameItems } from './selectors.ts';

/**
 * What the order costs as it stands; undefined while no rug has a size. The server has the last
 * word.
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
