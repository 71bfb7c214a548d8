import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { TooBusy } from './admin/at-most.ts';
import type { SavedSettings } from './admin/saved-settings.ts';
import { isTemporary, repeatWhileAway, type Sql } from './database.ts';
import { adminApp } from './http/admin-app.ts';
import { applePay } from './http/apple-pay.ts';
import { type AccountingOptions, backOffice } from './http/back-office.ts';
import { limitBody, logAnswers, refuseForeignWrites } from './http/guards.ts';
import { health } from './http/health.ts';
import { images } from './http/images.ts';
import { measureAnswers, metricsRoute } from './http/metrics.ts';
import { orders } from './http/orders.ts';
import { type Pages, pages } from './http/pages.ts';
import { payments } from './http/payments.ts';
import { answerProblem, unavailable } from './http/problem.ts';
import { type PublicFacts, publicFacts } from './http/public-facts.ts';
import { quotes } from './http/quotes.ts';
import { receiptCookie } from './http/receipt-cookie.ts';
import { type SquareWebhooks, squareWebhooks } from './http/square-webhooks.ts';
import type { Throttles } from './http/throttle.ts';
import type { ImageHost } from './images/image-host.ts';
import type { Metrics } from './metrics.ts';
import { clientOf } from './throttle/client-address.ts';
import { createCounters } from './throttle/counters.ts';
import { createPaymentGuard } from './throttle/payment-guard.ts';
import { orderOfCommand, payCommandId } from './use-case/payment-attempt.ts';
import type { PaymentWorld } from './use-case/record-payment.ts';

export type * from './http/accounting-wire.ts';
export type * from './http/admin-wire.ts';
export type * from './http/wire.ts';

export type ApiOptions = {
  readonly world: PaymentWorld;
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
