import { parsePaymentId, parseRefundId } from '@kilim/domain/order/ids';
import * as z from 'zod/mini';
import { id } from './ids.ts';
import { rugChargeNamesOnWire } from './refund-charges.ts';
import { refundTypes } from './refunds.ts';
import { requestedDollars } from './requested-number.ts';
import { note } from './text.ts';

const amount = requestedDollars('Please enter an amount in dollars with at most two decimals');

const rugIndex = z.int('Please choose a rug').check(z.gte(0));

const charge = z.union(
  [
    z.strictObject({ rugIndex, charge: z.enum(rugChargeNamesOnWire), amount }),
    z.strictObject({ charge: z.literal('deliveryMinimum'), amount }),
  ],
  'A charge is a rug, one of its charges and an amount; the delivery minimum has no rug',
);

export const requestedLines = {
  /**
   * Whole rugs: a smaller amount is shared among the charges of its rug. Together with `charges` and `deliveryMinimum`
   * at most `amount`. An `amount` above their sum is free of any line.
   */
  rugItems: z._default(
    z
      .array(
        z.object({
          rugIndex,
          amount,
          /** Is not kept. */
          reason: z.optional(z.unknown()),
        }),
        'Please choose rugs',
      )
      .check(z.maxLength(100, 'An order has fewer rugs')),
    [],
  ),
  /**
   * Single charges of rugs that `rugItems` does not name. The sales tax of an add-on is a charge too: it goes back only
   * when it is named.
   */
  charges: z._default(
    z.array(charge, 'Please choose charges').check(z.maxLength(500, 'An order has fewer charges')),
    [],
  ),
  deliveryMinimum: z.prefault(amount, 0),
};

/** 201 also answers a refund that is `pending` until Square has decided. */
export const refundRequest = z.object({
  paymentId: id(parsePaymentId, 'This is not a payment id'),
  /** A full refund: all that is left. */
  amount,
  reason: note(500),
  /** `charges` is a partial refund that names charges. */
  refundType: z.enum([...refundTypes, 'charges'], 'Please choose a full or a partial refund'),
  ...requestedLines,
  adminNotes: z.optional(note(2000)),
  /** Chosen once per dialog, not per click: the same key again is the same refund. */
  idempotencyKey: id(parseRefundId, 'The idempotency key must be 16 to 45 letters, digits, - or _'),
});
export type RefundRequest = z.input<typeof refundRequest>;
