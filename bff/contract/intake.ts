import { intakeSteps, waiverReasons } from '@kilim/domain/order/events';
import { orderStages } from '@kilim/domain/projection/order-summary';
import * as z from 'zod/mini';
import { day } from './days.ts';
import { dollars, signedDollars } from './money.ts';
import { requestedDollars } from './requested-number.ts';

/** In whole inches. */
const size = z.object({ width: z.int('Please give whole inches'), length: z.int('Please give whole inches') });

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
      /** With what the measured rug costs, and how much more that is by charge. */
      rugs: z.array(z.object({ size, total: dollars, changes: z.object(changes) })),
      deliveryMinimumChange: signedDollars,
      total: dollars,
      /** Positive: the customer owes it. Negative: the shop does. */
      due: signedDollars,
      /** What one press gives back now; null when the shop owes nothing, or nothing is left. */
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
      /** For people: `K7QM-4XPT-S1`. */
      number: z.string(),
      amount: dollars,
      paidAt: z.string(),
      refundable: dollars,
    }),
  ),
  undoable: z.array(z.enum(intakeSteps)),
  /** How the shop measures. */
  measuring: z.string(),
});
export type Intake = z.output<typeof intake>;

/** As the person saw them: another measurement or amount is refused. */
const seen = {
  measurement: z.int('Please give the number of the measurement'),
  amount: requestedDollars('Please enter an amount in dollars with at most two decimals'),
};

export const intakeRequest = z.discriminatedUnion(
  'step',
  [
    z.object({
      step: z.literal('receive'),
      /** In the order of the rugs. */
      sizes: z.array(size, 'Please give the size of each rug').check(z.maxLength(100, 'An order has fewer rugs')),
    }),
    z.object({ step: z.literal('ask'), ...seen }),
    z.object({ step: z.literal('withdraw') }),
    z.object({ step: z.literal('waive'), ...seen, reason: z.enum(waiverReasons, 'Please choose a reason') }),
    z.object({ step: z.literal('ready') }),
    z.object({ step: z.literal('hand-over') }),
    z.object({ step: z.literal('undo'), undoes: z.enum(intakeSteps, 'Please choose a step') }),
  ],
  'Please choose a step',
);
export type IntakeRequest = z.input<typeof intakeRequest>;

export const measuredRefundRequest = z.object(seen);
