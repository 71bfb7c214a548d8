import type { Quote } from '@kilim/domain/quote';
import { useMemo } from 'react';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { quoteOf } from './quote-of.ts';
import { deliveryOptionOf, rugsOf, sameItems } from './selectors.ts';

/** To be paid online. The server refuses the order, too. */
export function useIsTooLarge(): boolean {
  const { largestOrder } = useOffer().rates;
  return (useQuote()?.total ?? 0) > largestOrder;
}

export function useQuote(): Quote | undefined {
  const rugs = useOrderForm(rugsOf, sameItems);
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const { rates } = useOffer();
  return useMemo(() => quoteOf({ rugs, deliveryOption }, rates), [rugs, deliveryOption, rates]);
}
