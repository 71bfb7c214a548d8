import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { isTemporary, repeatWhileAway, type Sql } from '../database/database.ts';
import type { SavedSettings } from '../queries/saved-settings.ts';
import { TooBusy } from '../server/limit-concurrency.ts';
import type { Metrics } from '../server/metrics.ts';
import { clientOf } from '../server/throttle/client-address.ts';
import { createCounters } from '../server/throttle/counters.ts';
import { createPaymentGuard } from '../server/throttle/payment-guard.ts';
import type { World } from '../server/world.ts';
import { orderOfCommand, payCommandId } from '../use-case/payment-attempt.ts';
import { limitBody, logAnswers, refuseForeignWrites } from './guards.ts';
import { health } from './health.ts';
import type { ImageHost } from './images/image-host.ts';
import { measureAnswers, metricsRoute } from './metrics-page.ts';
import { adminApp } from './office/app.ts';
import { type AccountingOptions, backOffice } from './office/back-office.ts';
import { answerProblem, unavailable } from './problem.ts';
import { orders } from './shop/orders.ts';
import { payments } from './shop/payments.ts';
import { type PublicFacts, publicFacts } from './shop/public-facts.ts';
import { quotes } from './shop/quotes.ts';
import { receiptCookie } from './shop/receipt-cookie.ts';
import { applePay } from './site/apple-pay.ts';
import { type Pages, pages } from './site/pages.ts';
import { images } from './site/stored-images.ts';
import { type SquareWebhooks, squareWebhooks } from './square-webhooks.ts';
import type { Throttles } from './throttle.ts';

export type * from './office/accounting-wire.ts';
export type * from './office/wire.ts';
export type * from './shop/wire.ts';

export type ApiOptions = {
  readonly world: World;
  readonly facts: PublicFacts;
  readonly settings: SavedSettings;
  readonly imageHost: ImageHost;
  /** Where browsers reach this server: `https://orders.example`. */
  readonly publicUrl: string;
  readonly throttling: Throttling;
  readonly metrics: Metrics;
  /** What a reader of the metrics must send. Absent: nobody reads them. */
  readonly metricsToken: string | undefined;
  readonly webhooks: SquareWebhooks;
  /** How long ago background work last looked for something to do, with success. Absent: there is none in this process. */
  readonly secondsSincePolls?: () => number;
  /** Absent: exports are read in the pool of everybody, and closing signs nothing. */
  readonly accounting?: AccountingOptions;
  /** The text of Apple's file. Absent: this domain is not registered for Apple Pay. */
  readonly applePayDomainAssociation?: string | undefined;
  /** Absent in tests of the calls alone: the server then answers nothing else. */
  readonly pages?: Pages;
};

export type Throttling = {
  /** A pool of its own, so that counting never waits in front of a payment. */
  readonly sql: Sql;
  readonly secret: string;
  readonly factor: number;
  readonly mostDeclinesPerHour: number;
  readonly trustedProxies: number;
};

/** Everything that this server answers. */
export function createApi(options: ApiOptions) {
  const { world, facts, settings, publicUrl, metrics, pages: built, secondsSincePolls = () => 0 } = options;
  const prices = () => settings.latest().settings.tierPrices;
  const throttles = throttlesOf(options);
  const receipts = receiptCookie({ secure: publicUrl.startsWith('https:') });
  const admin = adminApp({
    ...{ ...world, settings, imageHost: options.imageHost, publicUrl, counting: options.throttling },
    addressOf: (c) => throttles.clientOf(c).address,
    more: backOffice({
      ...{ world, throttles, accounting: options.accounting ?? {} },
      timeZone: facts.config.business.timeZone,
    }),
  });
  const api = new Hono<{ Variables: { requestId: string } }>()
    .use(async (c, next) => {
      await next();
      c.header('cache-control', 'no-store');
      c.header('x-content-type-options', 'nosniff');
    })
    .use(limitBody)
    // Before the guard against other sites: Square is one, and proves itself by its signature.
    .route('/', squareWebhooks({ ...options.webhooks, sql: world.sql, log: world.log, metrics }))
    .use(refuseForeignWrites([new URL(publicUrl).origin]))
    .route('/', publicFacts(facts))
    .route('/', quotes({ prices, throttles }))
    .route(
      '/',
      payments({ world, settings: settings.current, receipts, throttles, guard: guardOf(options, throttles) }),
    )
    .route('/', orders({ world, receipts, throttles }))
    .route('/admin', admin.routes)
    .all('*', admin.answerUnknown);

  const app = new Hono<{ Variables: { requestId: string } }>()
    .use(requestId({ limitLength: 64, generator: () => crypto.randomUUID() }))
    .use(logAnswers(world.log))
    .use(measureAnswers(metrics))
    .route('/', health(world.sql, secondsSincePolls))
    .route('/', metricsRoute({ metrics, sql: world.sql, token: options.metricsToken, secondsSincePolls }))
    .route('/api', api)
    .route('/', images(world.sql))
    .route('/', applePay(options.applePayDomainAssociation))
    .onError((error, c) => {
      world.log.error({ err: error, requestId: c.get('requestId') }, 'a request failed');
      if (isTemporary(error) || error instanceof TooBusy) return answerProblem(c, unavailable);
      return answerProblem(c, {
        status: 500,
        code: 'InternalError',
        message: 'Something went wrong on our side. Please try again.',
      });
    });
  if (built === undefined) return app;
  const handOver = facts.config.checkoutTopLevel ? { prices, origin: new URL(publicUrl).origin } : undefined;
  return app.route('/', pages(built, handOver));
}

function throttlesOf({ throttling, world, metrics }: ApiOptions): Throttles {
  const counters = createCounters({ ...throttling, log: world.log });
  return { counters, clientOf: (c) => clientOf(c, throttling.trustedProxies), metrics };
}

function guardOf({ throttling, world }: ApiOptions, { counters }: Throttles) {
  return createPaymentGuard({
    counters,
    log: world.log,
    mostDeclinesPerHour: throttling.mostDeclinesPerHour,
    isKnown: async (key) => (await repeatWhileAway(() => orderOfCommand(world.sql, payCommandId(key)))) !== undefined,
  });
}
