import type { CustomerInfo } from '@kilim/bff/contract/quote';
import type { DeliveryOption } from '@kilim/domain/catalog';
import { parseContact } from '@kilim/domain/contact';
import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);
const contact = z.object({
  givenName: text,
  familyName: text,
  email: text,
  phone: text,
  addressLines: z.catch(z.optional(z.array(z.string())), undefined),
  city: text,
  state: text,
  postalCode: text,
});
const givenContacts = z.object({
  details: z.object({
    billing: z.optional(contact),
    shipping: z.optional(z.object({ contact: z.optional(contact) })),
  }),
});

/** As far as the cart knows, and what the delivery needs. */
export type AskedContact = { readonly customerInfo: CustomerInfo; readonly deliveryOption: DeliveryOption };

/**
 * With the wishes from the cart. Apple gives email and phone with the shipping contact, Google also with the billing
 * contact.
 * @returns the mistakes in sentences, if any.
 */
export function contactOfWallet(
  tokenized: unknown,
  { customerInfo, deliveryOption }: AskedContact,
): Result<CustomerInfo, readonly string[]> {
  const { details } = givenContacts.safeParse(tokenized).data ?? {};
  const [shipping, billing] = [details?.shipping?.contact, details?.billing];
  const nameOf = (given: typeof billing) => [given?.givenName, given?.familyName].filter(Boolean).join(' ');
  const place = shipping?.addressLines?.length ? shipping : billing;
  const [address = '', ...moreLines] = place?.addressLines ?? [];
  const given: CustomerInfo = {
    ...customerInfo,
    name: nameOf(shipping) || nameOf(billing),
    email: shipping?.email || billing?.email || '',
    phone: shipping?.phone || billing?.phone || '',
    address,
    addressLine2: moreLines.join(', '),
    city: place?.city ?? '',
    state: place?.state ?? '',
    zipCode: place?.postalCode ?? '',
  };
  const parsed = parseContact(given, deliveryOption);
  return parsed.ok ? ok(given) : rejected(Object.values(parsed.rejection));
}
