import type { PriceList } from '@kilim/domain/catalog';
import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { isDatabaseAway } from './database.ts';
import { limitBody, logAnswers, refuseForeignWrites } from './http/guards.ts';
import { health } from './http/health.ts';
import { orders } from './http/orders.ts';
import { type Pages, pages } from './http/pages.ts';
import { payments } from './http/payments.ts';
import { answerProblem, unavailable } from './http/problem.ts';
import { type PublicFacts, publicFacts } from './http/public-facts.ts';
import { quotes } from './http/quotes.ts';
import { receiptCookie } from './http/receipt-cookie.ts';
import type { PaymentWorld } from './use-case/record-payment.ts';

export type * from './http/wire.ts';

export type ApiOptions = {
  readonly world: PaymentWorld;
  readonly facts: PublicFacts;
  readonly prices: () => PriceList;
  /** Where browsers reach this server: `https://orders.example`. */
  readonly publicUrl: string;
  /** Absent in tests of the calls alone: the server then answers nothing else. */
  readonly pages?: Pages;
};

/** Everything that this server answers. */
export function createApi({ world, facts, prices, publicUrl, pages: built }: ApiOptions) {
  const settingsVersion = () => facts.settings().version;
  const receipts = receiptCookie({ secure: publicUrl.startsWith('https:') });
  const api = new Hono()
    .use(limitBody)
    .use(refuseForeignWrites([new URL(publicUrl).origin]))
    .use(async (c, next) => {
      await next();
      c.header('cache-control', 'no-store');
      c.header('x-content-type-options', 'nosniff');
    })
    .route('/', publicFacts(facts))
    .route('/', quotes(prices))
    .route('/', payments({ world, prices, settingsVersion, receipts }))
    .route('/', orders({ world, receipts }))
    .all('*', (c) => answerProblem(c, { status: 404, code: 'NotFound', message: 'There is no such call.' }));

  const app = new Hono<{ Variables: { requestId: string } }>()
    .use(requestId({ limitLength: 64, generator: () => crypto.randomUUID() }))
    .use(logAnswers(world.log))
    .route('/', health(world.sql))
    .route('/api', api)
    .onError((error, c) => {
      world.log.error({ err: error, requestId: c.get('requestId') }, 'a request failed');
      if (isDatabaseAway(error)) return answerProblem(c, unavailable);
      return answerProblem(c, {
        status: 500,
        code: 'InternalError',
        message: 'Something went wrong on our side. Please try again.',
      });
    });
  return built === undefined ? app : app.route('/', pages(built));
}
