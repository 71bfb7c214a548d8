import { deliveryOptions, tiers } from '@kilim/domain/catalog';
import { eachAddOn } from '@kilim/domain/rug';
import * as z from 'zod/mini';
import { dollars } from './money.ts';
import { addOnsToWire } from './rug.ts';

/** The fields of a rug, each with what the caller gives: a schema, or a way to make one of a list. */
export function rugFields<Feet, Inches, Chosen>(fields: {
  readonly feet: Feet;
  readonly inches: Inches;
  readonly chosen: Chosen;
  /** Says which values of a list a field may have. */
  readonly message?: (values: readonly string[]) => string;
}) {
  const { feet, inches, chosen, message } = fields;
  const oneOf = <const Values extends readonly string[]>(values: Values) => z.enum(values, message?.(values));
  return {
    widthFeet: feet,
    widthInches: inches,
    lengthFeet: feet,
    lengthInches: inches,
    serviceTier: oneOf(tiers),
    ...addOnsToWire(eachAddOn(chosen)),
  };
}

const count = z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= 0));

/** The customer's choices for a rug, without prices. */
export const orderedRug = z.object(rugFields({ feet: count, inches: count, chosen: z.boolean() }));

/** A rug as it was quoted or sold. */
export const quotedRug = z.object({
  ...orderedRug.shape,
  /** Decimal feet. */
  width: z.number(),
  length: z.number(),
  unit: z.literal('feet'),
  /** Square feet, two decimals. */
  area: z.number(),
  pricePerSqft: dollars,
  baseCost: dollars,
  deliveryCost: dollars,
  stainProtectionCost: dollars,
  mothProtectionCost: dollars,
  /** Everything that this rug costs: base, its shares of delivery and tax, its add-ons. */
  totalCost: dollars,
});
export type QuotedRug = z.output<typeof quotedRug>;

/** A stored draft or order in the specification's shape (section 3) does not have the field. */
const addedField = z._default(z.string(), '');

/** The contact as the customer typed it, or masked. */
export const customerInfo = z.object({
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  addressLine2: addedField,
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  pickupDay: addedField,
  pickupWindow: addedField,
  driverNote: addedField,
});
export type CustomerInfo = z.output<typeof customerInfo>;

export const addOnCosts = z.object(addOnsToWire(eachAddOn(dollars)));

const quoteFields = {
  /** The identity of the order that this quote becomes when it is paid; each attempt to pay it carries it. */
  orderId: z.string(),
  rugs: z.array(quotedRug).check(z.refine((rugs) => rugs.length > 0)),
  deliveryOption: z.enum(deliveryOptions),
  includeDelivery: z.boolean(),
  subtotal: dollars,
  /** 'White Glove Pickup & Delivery' */
  delivery: dollars,
  /** 'Delivery Minimum' */
  deliveryMinimum: dollars,
  /** `delivery` and `deliveryMinimum` together. */
  deliveryCost: dollars,
  addOns: addOnCosts,
  salesTax: dollars,
  /** As it was sold. */
  salesTaxName: z.string(),
  totalAmount: dollars,
};
/** The authoritative quote. */
export const quote = z.object(quoteFields);
export type QuoteAnswer = z.input<typeof quote>;
export type QuotedOrder = z.output<typeof quote>;

/** The quote with its customer: what the browser keeps as `currentOrder`, and what the form in a frame hands over. */
export const currentOrder = z.object({ ...quoteFields, customerInfo });
export type CurrentOrder = z.output<typeof currentOrder>;
