import type { Day } from '@kilim/domain/day';
import { latestPickupDays, nextDays } from '@kilim/domain/pickup-plan';
import { quoteOrder } from '@kilim/domain/quote';
import type { Rates } from '@kilim/domain/rates';
import type { Settings } from '@kilim/domain/settings/settings';
import { v7 } from 'uuid';
import type { Sql } from '../../database/database.ts';
import { readFullPickupDays } from '../../queries/full-pickup-days.ts';
import { answerProblem, invalidFields, paymentProblem } from '../problem.ts';
import type { OpenName, Serve } from '../serve.ts';
import { type Throttles, throttle } from '../throttle/throttle.ts';
import { ofContact, parseCart, refusedPickup } from './parse-order.ts';
import { quoteAnswer } from './wire-mapping.ts';

const asked = { name: 'quote', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };
const daysAsked = { name: 'pickup-days', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };

export type QuotesOptions = {
  readonly sql: Sql;
  readonly settings: () => Settings;
  readonly rates: () => Rates;
  readonly today: () => Day;
  readonly throttles: Throttles;
};

export function serveQuotes(serve: Serve<OpenName>, options: QuotesOptions): void {
  const { sql, settings, rates, today, throttles } = options;
  const fullDays = () => {
    // One day more at each end, as for the refusal of a day.
    const days = nextDays(today(), latestPickupDays + 2);
    return readFullPickupDays(sql, settings().pickupPlan, { days });
  };
  serve('GET /api/pickup-days', async (_, { answer }) => answer(200, { fullDays: [...(await fullDays())] }), {
    limit: throttle(throttles, daysAsked),
  });
  serve(
    'POST /api/quote',
    async (c, { body: request, answer }) => {
      const order = parseCart(request);
      const isWished = request.deliveryOption === 'pickup' && request.customerInfo.pickupDay !== '';
      const now = { today: today(), fullDays: isWished ? await fullDays() : [] };
      const refused = ofContact(refusedPickup(request, settings(), now));
      if (!order.ok) return answerProblem(c, invalidFields({ ...order.rejection, ...refused }));
      if (Object.keys(refused).length > 0) return answerProblem(c, invalidFields(refused));
      const current = rates();
      const quote = quoteOrder(order.value, current);
      if (quote.total > current.largestOrder) return answerProblem(c, paymentProblem({ code: 'OrderTooLarge' }));
      return answer(200, quoteAnswer(v7(), quote));
    },
    { limit: throttle(throttles, asked) },
  );
}
