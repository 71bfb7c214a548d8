import { tiers } from '@kilim/domain/catalog';
import { parseDollars } from '@kilim/domain/money';
import { deliveryOptions } from '@kilim/domain/quote';
import * as z from 'zod/mini';

/**
 * The shapes of `bff/src/http/shop/wire.ts` that more than one page reads, checked when they arrive: an answer, the page's own data
 * and the stored order. Amounts stay US dollars here, as on the wire; `centsOf` of `dollars.ts` takes them inside.
 */

const dollars = z.number().check(z.refine((amount) => parseDollars(amount) !== undefined, 'Not an amount of dollars'));
const wholeNumber = z.number().check(z.refine((count) => Number.isSafeInteger(count) && count >= 0, 'Not a count'));
const textsByName = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string'),
);

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
export type CustomerInfo = z.infer<typeof customerInfoSchema>;

export const problemSchema = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.optional(textsByName),
});
