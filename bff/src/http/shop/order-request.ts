import { largestSideInches, mostRugsPerOrder, tiers } from '@kilim/domain/catalog';
import { type Contact, type ContactInput, contactFields, parseContact } from '@kilim/domain/contact';
import type { DeliveryOption } from '@kilim/domain/quote';
import { ok, type Result, rejected } from '@kilim/domain/result';
import {
  checkRug,
  chooseTier,
  newRug,
  type Rug,
  type RugRejection,
  side,
  withStainProtection,
} from '@kilim/domain/rug';
import { unreachable } from '@kilim/domain/unreachable';
import { z } from 'zod';

const feet = z
  .int('Please enter whole feet')
  .min(0, 'Feet cannot be negative')
  .max(largestSideInches / 12, 'At most 100 feet');
const inches = z.int('Please enter whole inches').min(0, 'Inches cannot be negative').max(11, 'Inches go from 0 to 11');
const yesOrNo = z.boolean('Please answer true or false');

const rugRequest = z.object({
  widthFeet: feet,
  widthInches: inches,
  lengthFeet: feet,
  lengthInches: inches,
  serviceTier: z.enum(tiers, 'Please choose premium, midrange or economy'),
  stainProtection: yesOrNo.default(false),
  mothProtection: yesOrNo.default(false),
  repairInspection: yesOrNo.default(false),
});

const contactText = z.string('Please enter text').max(1000, 'This is too long').default('');

/** What every request about an order carries. Prices and areas in it are not even read. */
export const orderRequest = z.object({
  // Counted before they are read: a request cannot make us complain about a hundred thousand rugs one by one.
  rugs: z
    .array(z.unknown(), 'Please add at least one rug to your order.')
    .min(1, 'Please add at least one rug to your order.')
    .max(mostRugsPerOrder, `One order can hold at most ${mostRugsPerOrder} rugs`)
    .pipe(z.array(rugRequest)),
  deliveryOption: z.enum(['dropoff', 'pickup', 'none'], 'Please choose drop-off or pickup'),
  customerInfo: z.object(
    Object.fromEntries(contactFields.map((field) => [field, contactText])) as Record<
      keyof ContactInput,
      typeof contactText
    >,
    'Please fill in all required fields.',
  ),
});

export type ParsedOrder = {
  readonly rugs: readonly Rug[];
  readonly deliveryOption: DeliveryOption;
  readonly contact: Contact;
};

/** Turns the wire's words into the domain's, or says which fields the domain refuses. */
export function parseOrder(
  request: z.output<typeof orderRequest>,
): Result<ParsedOrder, Readonly<Record<string, string>>> {
  const fields: Record<string, string> = {};
  const rugs = request.rugs.map(rugFromWire);
  for (const [index, rug] of rugs.entries()) {
    const checked = checkRug(rug);
    if (!checked.ok) Object.assign(fields, rugFieldError(index, checked.rejection));
  }
  const deliveryOption = request.deliveryOption === 'pickup' ? 'pickup' : 'dropoff';
  const contact = parseContact(request.customerInfo, deliveryOption);
  if (!contact.ok) {
    for (const [field, message] of Object.entries(contact.rejection)) fields[`customerInfo.${field}`] = message;
  }
  if (!contact.ok || Object.keys(fields).length > 0) return rejected(fields);
  return ok({ rugs, deliveryOption, contact: contact.value });
}

function rugFromWire(request: z.output<typeof rugRequest>): Rug {
  const rug = chooseTier(
    {
      ...newRug,
      width: side(request.widthFeet, request.widthInches),
      length: side(request.lengthFeet, request.lengthInches),
      greenPad: request.mothProtection,
      repairInspection: request.repairInspection,
    },
    request.serviceTier,
  );
  return withStainProtection(rug, request.stainProtection);
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
