import { intakeSteps, shopPaymentMethods, waiverReasons } from '@kilim/domain/order/events';
import * as z from 'zod/mini';
import { reference } from './reimbursements.ts';
import { requestedDollars } from './requested-number.ts';

/** In whole inches. */
const size = z.object({ width: z.int('Please give whole inches'), length: z.int('Please give whole inches') });

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
    /** What an open request asks for, in the shop. */
    z.object({
      step: z.literal('paid'),
      amount: seen.amount,
      method: z.enum(shopPaymentMethods, 'Please choose how it was paid'),
      reference,
    }),
    z.object({ step: z.literal('waive'), ...seen, reason: z.enum(waiverReasons, 'Please choose a reason') }),
    z.object({ step: z.literal('ready') }),
    z.object({ step: z.literal('hand-over') }),
    z.object({ step: z.literal('undo'), undoes: z.enum(intakeSteps, 'Please choose a step') }),
  ],
  'Please choose a step',
);
export type IntakeRequest = z.input<typeof intakeRequest>;

export const measuredRefundRequest = z.object(seen);
