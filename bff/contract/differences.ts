import * as z from 'zod/mini';
import { day } from './days.ts';
import { dollars } from './money.ts';
import { quote } from './quote.ts';

/** What a customer is asked to pay because rugs are larger than ordered. It has no contact: a link may be shared. */
export const difference = z.object({
  /** `ended`: withdrawn, over, or the amount has changed. */
  status: z.enum(['open', 'paid', 'ended']),
  /** Of the order, for people. */
  number: z.string(),
  /** Opens the receipt when it is paid. */
  paymentId: z.nullable(z.string()),
  /** The measured rugs, each with what it costs more. Null unless it can be paid. */
  quote: z.nullable(quote),
  /** As ordered, in whole inches, in the order of the rugs. */
  ordered: z.array(z.object({ width: z.number(), length: z.number() })),
  /** How the shop measures. */
  measuring: z.string(),
  expiresOn: z.nullable(day),
  /** What the customer is asked to pay instead, or as well. */
  newer: z.nullable(z.object({ id: z.string(), amount: dollars })),
});
export type Difference = z.output<typeof difference>;
