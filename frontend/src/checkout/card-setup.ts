import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { Config } from '../shared/config.ts';
import type { CardSetup } from './square-card.ts';

/** Gives Square's iframe our styles without a copy of the values. */
export type ReadToken = (name: string) => string;

export function readToken(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Styled like our form. The postal code is prefilled for pickup: most billing addresses are home addresses. */
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
        // iOS zooms in when a field with a font below 16 px is focused.
        input: { backgroundColor: token('surface'), color: token('ink'), fontSize: '16px' },
        'input::placeholder': { color: token('ink-soft') },
        'input.is-error': { color: token('madder') },
      },
    },
  };
}
