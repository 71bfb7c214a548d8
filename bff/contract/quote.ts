import { largestSideInches, mostRugsPerOrder, tiers } from '@kilim/domain/catalog';
import { deliveryOptions } from '@kilim/domain/quote';
import * as z from 'zod/mini';
import { dollars } from './money.ts';

const feet = z
  .int('Please enter whole feet')
  .check(z.gte(0, 'Feet cannot be negative'), z.lte(largestSideInches / 12, 'At most 100 feet'));
const inches = z
  .int('Please enter whole inches')
  .check(z.gte(0, 'Inches cannot be negative'), z.lte(11, 'Inches go from 0 to 11'));
const sizeAndTier = {
  widthFeet: feet,
  widthInches: inches,
  lengthFeet: feet,
  lengthInches: inches,
  serviceTier: z.enum(tiers, 'Please choose premium, midrange or economy'),
};

/** What can be added to a rug, under the names on the wire. */
function addOns<Schema extends z.ZodMiniType>(each: Schema) {
  return { stainProtection: each, mothProtection: each, repairInspection: each };
}

export const rugRequest = z.object({
  ...sizeAndTier,
  ...addOns(z._default(z.boolean('Please answer true or false'), false)),
});
export type RugRequest = z.output<typeof rugRequest>;

function contact<Schema extends z.ZodMiniType>(each: Schema) {
  return { name: each, email: each, phone: each, address: each, city: each, state: each, zipCode: each };
}

const contactText = z._default(z.string('Please enter text').check(z.maxLength(1000, 'This is too long')), '');
const contactRequest = z.object(contact(contactText), 'Please fill in all required fields.');

export const customerInfo = z.object(contact(z.string()));
export type CustomerInfo = z.output<typeof customerInfo>;

export const orderFields = {
  rugs: z
    .array(rugRequest, 'Please add at least one rug to your order.')
    .check(
      z.minLength(1, 'Please add at least one rug to your order.'),
      z.maxLength(mostRugsPerOrder, `One order can hold at most ${mostRugsPerOrder} rugs`),
    ),
  /** `none` is a stored legacy value and is read as `dropoff`. */
  deliveryOption: z.enum([...deliveryOptions, 'none'], 'Please choose drop-off or pickup'),
  customerInfo: contactRequest,
};

/** `POST /api/quote`. Prices, areas and totals that a client sends for a rug are dropped. */
export const quoteRequest = z.object(orderFields);
export type QuoteRequest = z.input<typeof quoteRequest>;

/** A rug as it was quoted or sold. */
export const quotedRug = z.object({
  ...sizeAndTier,
  ...addOns(z.boolean()),
  /** Decimal feet. */
  width: z.number(),
  length: z.number(),
  unit: z.literal('feet'),
  /** Square feet, two decimals. */
  area: z.number(),
  pricePerSqft: dollars,
  baseCost: dollars,
  deliveryCost: dollars,
  /** Everything that this rug costs: base, its shares of delivery and tax, its add-ons. */
  totalCost: dollars,
});
export type QuotedRug = z.output<typeof quotedRug>;

export const addOnCosts = z.object(addOns(dollars));

const quoteFields = {
  /** The identity of the order that this quote becomes when it is paid; each attempt to pay it carries it. */
  orderId: z.string(),
  rugs: z.array(quotedRug).check(z.minLength(1)),
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
  totalAmount: dollars,
};
/** The authoritative quote. */
export const quote = z.object(quoteFields);
export type QuoteAnswer = z.input<typeof quote>;
export type QuotedOrder = z.output<typeof quote>;

/** The quote with its customer: what the browser keeps as `currentOrder`, and what the form in a frame hands over. */
export const currentOrder = z.object({ ...quoteFields, customerInfo });
export type CurrentOrder = z.output<typeof currentOrder>;
