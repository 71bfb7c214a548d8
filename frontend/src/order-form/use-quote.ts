import type { Quote } from '@kilim/domain/quote';
import { useMemo } from 'react';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { quoteOf } from './quote-of.ts';
import { deliveryOptionOf, rugsOf, sameItems } from './selectors.ts';

export function useQuote(): Quote | undefined {
  const rugs = useOrderForm(rugsOf, sameItems);
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const { rates } = useOffer();
  return useMemo(() => quoteOf({ rugs, deliveryOption }, rates), [rugs, deliveryOption, rates]);
}
