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
import { parseCart } from './parse-order.ts';
import { quoteAnswer } from './wire-mapping.ts';

const asked = { name: 'quote', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };

export type QuotesOptions = { readonly rates: () => Rates; readonly throttles: Throttles };

export function quotes({ rates, throttles }: QuotesOptions) {
  return new Hono().post('/quote', throttle(throttles, asked), body(quoteRequest), (c) => {
    const order = parseCart(c.req.valid('json'));
    if (!order.ok) return answerProblem(c, invalidFields(order.rejection));
    return c.json(z.encode(quote, quoteAnswer(v7(), quoteOrder(order.value, rates()))));
  });
}
