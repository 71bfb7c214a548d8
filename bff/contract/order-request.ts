import { deliveryOptions, largestSideInches, mostRugsPerOrder } from '@kilim/domain/catalog';
import { type ContactField, contactFields } from '@kilim/domain/contact';
import { type IdempotencyKey, isUnguessable, parseIdempotencyKey, parseNewOrderId } from '@kilim/domain/order/ids';
import { visibleText } from '@kilim/domain/text';
import * as z from 'zod/mini';
import { id } from './ids.ts';
import { rugFields } from './quote.ts';
import { requestedDollars } from './requested-number.ts';

/** A page imports only types from here: the texts would make the page larger. */

const rugRequest = z.object(
  rugFields({
    feet: z
      .int('Please enter whole feet')
      .check(z.gte(0, 'Feet cannot be negative'), z.lte(largestSideInches / 12, 'At most 100 feet')),
    inches: z
      .int('Please enter whole inches')
      .check(z.gte(0, 'Inches cannot be negative'), z.lte(11, 'Inches go from 0 to 11')),
    message: (values) => `Please choose ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
    chosen: z._default(z.boolean('Please answer true or false'), false),
  }),
);
export type RugRequest = z.output<typeof rugRequest>;

const contactText = z._default(
  z.string('Please enter text').check(z.overwrite(visibleText), z.maxLength(1000, 'This is too long')),
  '',
);

export const orderFields = {
  rugs: z
    .array(rugRequest, 'Please add at least one rug to your order.')
    .check(
      z.minLength(1, 'Please add at least one rug to your order.'),
      z.maxLength(mostRugsPerOrder, `One order can hold at most ${mostRugsPerOrder} rugs`),
    ),
  /** `none` is a stored legacy value and is read as `dropoff`. */
  deliveryOption: z.enum([...deliveryOptions, 'none'], 'Please choose drop-off or pickup'),
  customerInfo: z.object(
    Object.fromEntries(contactFields.map((field) => [field, contactText])) as Record<ContactField, typeof contactText>,
    'Please fill in all required fields.',
  ),
};

/** The server ignores prices, areas and totals that a client sends. */
export const quoteRequest = z.object(orderFields);
export type QuoteRequest = z.input<typeof quoteRequest>;

const unknownSource = { embedded: false, variant: 'B' };
const variant = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,20}$/));
export const variantOrB = z.catch(variant, 'B');
export const orderId = id(parseNewOrderId, 'This is not the id of an order');

function parseNewKey(text: string): IdempotencyKey | undefined {
  const key = parseIdempotencyKey(text);
  return key !== undefined && isUnguessable(key) ? key : undefined;
}

export const paymentRequest = z.object({
  token: z.string('The card token is missing').check(z.minLength(1, 'The card token is missing'), z.maxLength(500)),
  /** The server refuses another total than its own. */
  amount: requestedDollars('The amount is not dollars with at most two decimals'),
  verificationToken: z.nullish(z.string().check(z.maxLength(500))),
  idempotencyKey: id(parseNewKey, 'An idempotency key has 22 to 45 random letters, digits, hyphens or underscores'),
  orderDetails: z.object({
    ...orderFields,
    orderId: z.optional(orderId),
    /** Whether the form stood in a frame, and the A/B variant. Statistics only: a wrong value never stops a payment. */
    source: z._default(z.catch(z.object({ embedded: z.boolean(), variant }), unknownSource), unknownSource),
  }),
});
export type PaymentRequest = z.input<typeof paymentRequest>;

const { token, amount, verificationToken, idempotencyKey } = paymentRequest.shape;
/** Of what larger rugs cost. */
export const differencePayment = z.object({ token, amount, verificationToken, idempotencyKey });

export const saveOrderRequest = z.object({
  order: z.object({ orderId: z.optional(z.string()) }, 'The order is missing'),
  paymentId: z.string('The payment id is missing'),
});
