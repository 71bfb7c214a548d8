import type { PriceList } from '@kilim/domain/catalog';
import { quoteOrder } from '@kilim/domain/quote';
import { Hono } from 'hono';
import { v7 } from 'uuid';
import { orderRequest, parseOrder } from './order-request.ts';
import { parseBody } from './parse-body.ts';
import { answerProblem, invalidFields } from './problem.ts';
import { quoteAnswer } from './wire-mapping.ts';

export function quotes(prices: () => PriceList) {
  return new Hono().post('/quote', async (c) => {
    const body = await parseBody(c, orderRequest);
    if (!body.ok) return answerProblem(c, body.rejection);
    const order = parseOrder(body.value);
    if (!order.ok) return answerProblem(c, invalidFields(order.rejection));
    return c.json(quoteAnswer(v7(), quoteOrder(order.value, prices())));
  });
}
