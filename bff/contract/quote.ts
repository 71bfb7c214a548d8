import { deliveryOptions, tiers } from '@kilim/domain/catalog';
import { eachAddOn } from '@kilim/domain/rug';
import * as z from 'zod/mini';
import { dollars } from './money.ts';
import { addOnsToWire } from './rug.ts';

export function rugFields<Feet, Inches, Chosen>(fields: {
  readonly feet: Feet;
  readonly inches: Inches;
  readonly chosen: Chosen;
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

export const orderedRug = z.object(rugFields({ feet: count, inches: count, chosen: z.boolean() }));

export const quotedRug = z.object({
  ...orderedRug.shape,
  /** Decimal feet. */
  width: z.number(),
  length: z.number(),
  unit: z.literal('feet'),
  area: z.number(),
  pricePerSqft: dollars,
  baseCost: dollars,
  deliveryCost: dollars,
  stainProtectionCost: dollars,
  mothProtectionCost: dollars,
  /** With its shares of delivery and tax, and its add-ons. */
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
  /** The order that this quote becomes when it is paid. Each attempt to pay carries it. */
  orderId: z.string(),
  rugs: z.array(quotedRug).check(z.refine((rugs) => rugs.length > 0)),
  deliveryOption: z.enum(deliveryOptions),
  includeDelivery: z.boolean(),
  subtotal: dollars,
  delivery: dollars,
  deliveryMinimum: dollars,
  /** `delivery` and `deliveryMinimum` together. */
  deliveryCost: dollars,
  addOns: addOnCosts,
  salesTax: dollars,
  salesTaxName: z.string(),
  totalAmount: dollars,
};
export const quote = z.object(quoteFields);
export type QuoteAnswer = z.input<typeof quote>;
export type QuotedOrder = z.output<typeof quote>;

/** The browser keeps it as `currentOrder`, and the form in a frame hands it over. */
export const currentOrder = z.object({ ...quoteFields, customerInfo });
export type CurrentOrder = z.output<typeof currentOrder>;
