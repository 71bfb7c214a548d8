import type { CustomerInfo } from '@kilim/bff/contract/quote';

/** In one line; empty if there is none. */
export function addressText({ address, addressLine2, city, state, zipCode }: CustomerInfo): string {
  const area = [state, zipCode].filter(Boolean).join(' ');
  return [address, addressLine2, city, area].filter(Boolean).join(', ');
}
