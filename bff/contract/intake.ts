import { intakeSteps } from '@kilim/domain/order/events';
import { orderStages } from '@kilim/domain/projection/order-summary';
import * as z from 'zod/mini';
import { day } from './days.ts';
import { dollars, signedDollars } from './money.ts';

/** In whole inches. */
export const size = z.object({ width: z.int(), length: z.int() });

const changes = {
  base: signedDollars,
  delivery: signedDollars,
  stainProtection: signedDollars,
  greenPad: signedDollars,
  salesTax: signedDollars,
};

export const intake = z.object({
  stage: z.enum(orderStages),
  /** Null until the rugs are measured. */
  measurement: z.nullable(
    z.object({
      number: z.int(),
      /** With how much more the measured rug costs, by charge. */
      rugs: z.array(z.object({ size, changes: z.object(changes) })),
      deliveryMinimumChange: signedDollars,
      /** Positive: the customer owes it. Negative: the shop does. */
      due: signedDollars,
      /** What one press gives back now; null when the shop owes nothing, or Square refunds nothing more. */
      refund: z.nullable(dollars),
      /** The customer owes too little to be asked. */
      isSmall: z.boolean(),
      isWaived: z.boolean(),
    }),
  ),
  /** That the customer has not paid. */
  request: z.nullable(z.object({ amount: dollars, expiresOn: day, url: z.string() })),
  supplements: z.array(
    z.object({
      _id: z.string(),
      amount: dollars,
      paidAt: z.string(),
      /** Not at Square, so Square cannot refund it. */
      isPaidInShop: z.boolean(),
      refundable: dollars,
    }),
  ),
  undoable: z.array(z.enum(intakeSteps)),
  /** How the shop measures. */
  measuring: z.string(),
});
export type Intake = z.output<typeof intake>;
