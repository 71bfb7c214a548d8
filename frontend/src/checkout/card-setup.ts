import type { Config } from '../shared/config.ts';
import type { CurrentOrder } from '../shared/current-order.ts';
import type { CardSetup } from './square-card.ts';

/**
 * `token` reads one of the design's tokens, so that Square's frame wears them without a copy of
 * them here.
 */
export type ReadToken = (name: string) => string;

export function readToken(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/**
 * Square's form, dressed like ours. For pickup the ZIP Code is filled in: most people live where
 * their card does.
 */
export function cardSetup(square: Config['square'], order: CurrentOrder | undefined, token: ReadToken): CardSetup {
  const { applicationId, locationId, scriptUrl } = square;
  const zipCode = order?.deliveryOption === 'pickup' ? order.customerInfo.zipCode : '';
  return {
    applicationId,
    locationId,
    scriptUrl,
    options: {
      includeInputLabels: true,
      ...(zipCode === '' ? {} : { postalCode: zipCode }),
      style: {
        '.input-container': { borderColor: token('line'), borderRadius: token('radius') },
        '.input-container.is-focus': { borderColor: token('indigo') },
        '.input-container.is-error': { borderColor: token('madder') },
        '.message-text': { color: token('ink-soft') },
        '.message-icon': { color: token('ink-soft') },
        '.message-text.is-error': { color: token('madder') },
        '.message-icon.is-error': { color: token('madder') },
        // Below 16 px, iOS zooms into the page when a field is touched.
        input: { color: token('ink'), fontSize: '16px' },
        'input::placeholder': { color: token('ink-soft') },
        'input.is-error': { color: token('madder') },
      },
    },
  };
}
