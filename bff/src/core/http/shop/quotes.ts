import type { Day } from '@kilim/domain/day';
import { quoteOrder } from '@kilim/domain/quote';
import type { Rates } from '@kilim/domain/rates';
import { v7 } from 'uuid';
import { answerProblem, invalidFields, paymentProblem } from '../problem.ts';
import type { OpenName, Serve } from '../serve.ts';
import { type Throttles, throttle } from '../throttle/throttle.ts';
import { parseCart, refusedDay } from './parse-order.ts';
import { quoteAnswer } from './wire-mapping.ts';

const asked = { name: 'quote', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };

export type QuotesOptions = {
  readonly rates: () => Rates;
  readonly today: () => Day;
  readonly throttles: Throttles;
};

export function serveQuotes(serve: Serve<OpenName>, { rates, today, throttles }: QuotesOptions): void {
  serve(
    'POST /api/quote',
    (c, { body: request, answer }) => {
      const order = parseCart(request);
      const late = refusedDay(request, today());
      if (!order.ok) return answerProblem(c, invalidFields({ ...order.rejection, ...late }));
      if (Object.keys(late).length > 0) return answerProblem(c, invalidFields(late));
      const current = rates();
      const quote = quoteOrder(order.value, current);
      if (quote.total > current.largestOrder) return answerProblem(c, paymentProblem({ code: 'OrderTooLarge' }));
      return answer(200, quoteAnswer(v7(), quote));
    },
    { limit: throttle(throttles, asked) },
  );
}
