import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ProblemAnswer } from '../../../contract/problem.ts';
import type { TakePaymentRejection } from '../use-case/take-payment.ts';

/** The message can be shown to users. */
export type Problem = ProblemAnswer & { readonly status: ContentfulStatusCode };

/** An error that says what the client reads. Its message is for the log. */
export class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export function answerProblem(c: Context, { status, ...answer }: Problem) {
  if (status === 503) askToRetry(c);
  return c.json(answer, status);
}

/** Long enough to spare a database that just recovered, short enough for a waiting customer. */
const retryAfterSeconds = 2;

/** Every 503 carries `Retry-After`. */
export function askToRetry(c: Context): void {
  c.header('retry-after', String(retryAfterSeconds));
}

/** A message for each path. */
export function invalidFields(fields: Readonly<Record<string, string>>): Problem {
  return { status: 422, code: 'Invalid', message: 'Please check the highlighted fields.', fields };
}

export const noSuchCall: Problem = { status: 404, code: 'NotFound', message: 'There is no such call.' };

export const unavailable: Problem = {
  status: 503,
  code: 'Unavailable',
  message: 'We could not reach our records just now. Please try again in a moment.',
};

export const busy: Problem = {
  status: 503,
  code: 'Unavailable',
  message: 'Our server is very busy just now. Please try again in a moment.',
};

type Told = Exclude<TakePaymentRejection['code'], 'ZipCodeUnserved'>;

/** A rejection without a status and a message does not compile. */
const paymentProblems = {
  NoRugs: { status: 422, message: 'Please add at least one rug to your order.' },
  TooManyRugs: { status: 422, message: 'One order can hold at most 50 rugs. Please contact us for more.' },
  InvalidRug: { status: 422, message: 'Please ensure all rugs have valid dimensions.' },
  OrderDiffers: { status: 409, message: 'Your order has changed since it was priced. Please review your cart again.' },
  OrderNotPlaced: { status: 409, message: 'No active order was found. Please create a new order.' },
  AlreadyPaid: { status: 409, message: 'This order is already paid.' },
  PaymentInProgress: { status: 409, message: 'A payment for this order is already being processed.' },
  AmountDiffers: { status: 409, message: 'The price has changed. Nothing was charged; please review the new total.' },
  UnknownPayment: { status: 404, message: "We couldn't find your payment details." },
  AttemptMovedOn: { status: 409, message: 'A payment for this order is already being processed.' },
  AttemptClosed: { status: 409, message: 'This payment has already ended.' },
  NotAuthorized: { status: 409, message: 'This payment has not been authorized.' },
  PickupDayRefused: {
    status: 422,
    message: 'We can no longer come on the pickup day of this order. Please choose another day in your cart.',
    fields: { 'orderDetails.customerInfo.pickupDay': 'Please choose another day' },
  },
  OrderTooLarge: {
    status: 422,
    message: 'An order of this size cannot be paid online. Please contact us, and we will arrange it with you.',
  },
  KeyReused: { status: 409, message: 'This payment was already sent with other details. Please reload and try again.' },
} satisfies Record<Told, Omit<Problem, 'code'>>;

type Unserved = Extract<TakePaymentRejection, { readonly code: 'ZipCodeUnserved' }>;

export function paymentProblem(rejection: { readonly code: Told } | Unserved): Problem {
  const { code } = rejection;
  if (code !== 'ZipCodeUnserved') return { code, ...paymentProblems[code] };
  const { message } = rejection;
  return {
    code,
    status: 422,
    message: `${message} Please choose it in your cart.`,
    fields: { 'orderDetails.customerInfo.zipCode': message },
  };
}
