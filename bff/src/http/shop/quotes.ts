import type { Day } from '@kilim/domain/accounting/day';
import { quoteOrder } from '@kilim/domain/quote';
import type { Rates } from '@kilim/domain/rates';
import { Hono } from 'hono';
import { v7 } from 'uuid';
import * as z from 'zod/mini';
import { quoteRequest } from '../../../contract/order-request.ts';
import { quote } from '../../../contract/quote.ts';
import { answerProblem, invalidFields } from '../problem.ts';
import { type Throttles, throttle } from '../throttle.ts';
import { body } from '../validate.ts';
import { parseCart, refusedDay } from './parse-order.ts';
import { quoteAnswer } from './wire-mapping.ts';

const asked = { name: 'quote', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };

export type QuotesOptions = {
  readonly rates: () => Rates;
  /** Today in the shop. */
  readonly today: () => Day;
  readonly throttles: Throttles;
};

export function quotes({ rates, today, throttles }: QuotesOptions) {
  return new Hono().post('/quote', throttle(throttles, asked), body(quoteRequest), (c) => {
    const request = c.req.valid('json');
    const order = parseCart(request);
    const late = refusedDay(request, today());
    if (!order.ok) return answerProblem(c, invalidFields({ ...order.rejection, ...late }));
    if (Object.keys(late).length > 0) return answerProblem(c, invalidFields(late));
    return c.json(z.encode(quote, quoteAnswer(v7(), quoteOrder(order.value, rates()))));
  });
}
