import type { DeliveryOption } from '@kilim/domain/catalog';
import { type Contact, type ContactErrors, parseContact } from '@kilim/domain/contact';
import { type PickupLimits, pickupErrors } from '@kilim/domain/pickup-plan';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { checkRug, type Rug, type RugRejection, side } from '@kilim/domain/rug';
import type { Settings } from '@kilim/domain/settings/settings';
import { unreachable } from '@kilim/domain/unreachable';
import type * as z from 'zod/mini';
import type { quoteRequest, RugRequest } from '../../../../contract/order-request.ts';
import { choicesFromWire } from '../../../../contract/rug.ts';

export type ParsedOrder = {
  readonly rugs: readonly Rug[];
  readonly deliveryOption: DeliveryOption;
  readonly contact: Contact;
};

type OrderRequest = z.output<typeof quoteRequest>;
type Refused = Readonly<Record<string, string>>;

/** @returns the fields that the domain refuses. */
export function parseOrder(request: OrderRequest): Result<ParsedOrder, Refused> {
  const { rugs, deliveryOption, refused } = parseRugs(request);
  const contact = parseContact(request.customerInfo, deliveryOption);
  const fields = { ...refused, ...(contact.ok ? {} : ofContact(contact.rejection)) };
  if (!contact.ok || Object.keys(fields).length > 0) return rejected(fields);
  return ok({ rugs, deliveryOption, contact: contact.value });
}

type PickupNow = Pick<PickupLimits, 'today' | 'fullDays'>;

/** A wallet's customer has a wish before a name. */
export function refusedPickup(
  { deliveryOption, customerInfo }: OrderRequest,
  { pickupPlan: plan, business: { dropOffSites } }: Settings,
  now: PickupNow,
): ContactErrors {
  return deliveryOption === 'pickup' ? pickupErrors(customerInfo, { plan, dropOffSites, ...now }) : {};
}

export function ofContact(errors: ContactErrors): Refused {
  return Object.fromEntries(Object.entries(errors).map(([field, text]) => [`customerInfo.${field}`, text]));
}

/** Without a name there is no contact yet: a wallet gives the name with the payment. */
export function parseCart(request: OrderRequest): Result<Omit<ParsedOrder, 'contact'>, Refused> {
  if (request.customerInfo.name.trim() !== '') return parseOrder(request);
  const { refused, ...cart } = parseRugs(request);
  return Object.keys(refused).length > 0 ? rejected(refused) : ok(cart);
}

function parseRugs(request: OrderRequest) {
  const refused: Record<string, string> = {};
  const rugs = request.rugs.map(rugFromWire);
  for (const [index, rug] of rugs.entries()) {
    const checked = checkRug(rug);
    if (!checked.ok) Object.assign(refused, rugFieldError(index, checked.rejection));
  }
  const deliveryOption: DeliveryOption = request.deliveryOption === 'pickup' ? 'pickup' : 'dropoff';
  return { rugs, deliveryOption, refused };
}

function rugFromWire(request: RugRequest): Rug {
  return {
    width: side(request.widthFeet, request.widthInches),
    length: side(request.lengthFeet, request.lengthInches),
    ...choicesFromWire(request),
  };
}

function rugFieldError(index: number, rejection: RugRejection): Record<string, string> {
  switch (rejection.code) {
    case 'SideMissing':
      return { [`rugs.${index}.${rejection.side}Feet`]: `Please enter the ${rejection.side} of this rug` };
    case 'SideTooLong':
      return { [`rugs.${index}.${rejection.side}Feet`]: `At most ${rejection.mostInches / 12} feet` };
    case 'AreaTooSmall':
      return { [`rugs.${index}.widthFeet`]: 'A rug has at least half a square foot' };
    default:
      return unreachable(rejection);
  }
}
