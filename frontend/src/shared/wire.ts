import { tiers } from '@kilim/domain/catalog';
import { type Cents, parseDollars } from '@kilim/domain/money';
import { deliveryOptions } from '@kilim/domain/quote';
import * as z from 'zod/mini';

/**
 * The shapes of `bff/src/http/wire.ts` that more than one page reads, checked when they arrive: an answer, the page's own data
 * and the stored order. Amounts stay US dollars here, as on the wire; `centsOf` takes them inside.
 */

const dollars = z.number().check(z.refine((amount) => parseDollars(amount) !== undefined, 'Not an amount of dollars'));
const wholeNumber = z.number().check(z.refine((count) => Number.isSafeInteger(count) && count >= 0, 'Not a count'));
const textsByName = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string'),
);

/** @throws RangeError for a number that no schema of this file lets pass. */
export function centsOf(amount: number): Cents {
  const cents = parseDollars(amount);
  if (cents === undefined) throw new RangeError(`Not an amount of dollars: ${amount}`);
  return cents;
}

const rugRequestFields = {
  widthFeet: wholeNumber,
  widthInches: wholeNumber,
  lengthFeet: wholeNumber,
  lengthInches: wholeNumber,
  serviceTier: z.enum(tiers),
  stainProtection: z.boolean(),
  mothProtection: z.boolean(),
  repairInspection: z.boolean(),
};
export const rugRequestSchema = z.object(rugRequestFields);
export type RugRequest = z.infer<typeof rugRequestSchema>;

export const customerInfoSchema = z.object({
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
});

export const quotedRugSchema = z.object({
  ...rugRequestFields,
  width: z.number(),
  length: z.number(),
  unit: z.enum(['feet']),
  area: z.number(),
  pricePerSqft: dollars,
  baseCost: dollars,
  deliveryCost: dollars,
  totalCost: dollars,
});
export type QuotedRug = z.infer<typeof quotedRugSchema>;

const addOnsSchema = z.object({
  stainProtection: dollars,
  mothProtection: dollars,
  repairInspection: dollars,
});

const quoteFields = {
  orderId: z.string(),
  rugs: z.array(quotedRugSchema).check(z.refine((rugs) => rugs.length > 0, 'No rugs')),
  deliveryOption: z.enum(deliveryOptions),
  includeDelivery: z.boolean(),
  subtotal: dollars,
  delivery: dollars,
  deliveryMinimum: dollars,
  deliveryCost: dollars,
  addOns: addOnsSchema,
  salesTax: dollars,
  totalAmount: dollars,
};
export const quoteSchema = z.object(quoteFields);
/** With the customer it is what the browser keeps as `currentOrder`. */
export const currentOrderSchema = z.object({ ...quoteFields, customerInfo: customerInfoSchema });
export type QuoteAnswer = z.infer<typeof quoteSchema>;

export const configSchema = z.object({
  square: z.object({
    applicationId: z.string(),
    locationId: z.string(),
    environment: z.enum(['simulator', 'sandbox', 'production']),
    scriptUrl: z.string(),
  }),
  parentOrigins: z.array(z.string()),
  abConversionUrl: z.nullable(z.string()),
  checkoutTopLevel: z.boolean(),
  business: z.object({
    name: z.string(),
    phone: z.string(),
    bookingUrl: z.string(),
    timeZone: z.string(),
    dropOffSites: z.array(z.object({ name: z.string(), note: z.string() })),
  }),
});
export type Config = z.infer<typeof configSchema>;

export const settingsSchema = z.object({
  version: z.number(),
  tierPrices: z.object({ premium: dollars, midrange: dollars, economy: dollars }),
  tierFeatures: z.object({
    premium: z.array(z.string()),
    midrange: z.array(z.string()),
    economy: z.array(z.string()),
  }),
  terms: z.string(),
  addOnImages: textsByName,
});
export type Settings = z.infer<typeof settingsSchema>;

export const problemSchema = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.optional(textsByName),
});
