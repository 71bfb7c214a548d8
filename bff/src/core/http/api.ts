import { type Context, Hono } from 'hono';
import type { Sql } from '../database/database.ts';
import { isOfOtherSchema, isTemporary } from '../database/failures.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { findCommand } from '../ledger/append.ts';
import { type CurrentRates, currentRates } from '../queries/current-rates.ts';
import type { SavedSettings } from '../queries/saved-settings.ts';
import type { Room } from '../room.ts';
import { clientOf } from '../runtime/client-address.ts';
import { dayIn } from '../runtime/day-in.ts';
import { TooBusy } from '../runtime/limit-concurrency.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { payCommandId } from '../use-case/payment-attempt.ts';
import type { World } from '../use-case/world.ts';
import type { Doorkeeper, OpenDoor } from './door.ts';
import { limitBody, logAnswers, refuseForeignReads, refuseForeignWrites, refuseWritesDuring } from './guards.ts';
import { serveHealth } from './health.ts';
import type { ImageHost } from './images/image-host.ts';
import { serveImages } from './images/in-postgres.ts';
import { measureAnswers, serveMetrics } from './metrics-page.ts';
import { serveBackOffice } from './office/back-office.ts';
import { readVersion } from './office/changes.ts';
import { addressOfOrigin, keepOriginsApart, type Origins, originOf } from './origins.ts';
import { answerProblem, busy, type Problem, Refused, unavailable } from './problem.ts';
import { cutOff, isCutOff, readToEnd } from './read-to-end.ts';
import { identifyRequests, type RequestEnv } from './request-id.ts';
import { forbidCaching, setHeaders } from './response-headers.ts';
import { createServe } from './serve.ts';
import { serveOrders } from './shop/orders.ts';
import { servePayments } from './shop/payments.ts';
import { type PublicFacts, servePublicFacts } from './shop/public-facts.ts';
import { serveQuotes } from './shop/quotes.ts';
import { receiptCookie } from './shop/receipt-cookie.ts';
import { serveApplePay } from './site/apple-pay.ts';
import { serveCspReports } from './site/csp-reports.ts';
import { inTime } from './site/office-pages.ts';
import { type Pages, pages } from './site/pages.ts';
import { serveSecurityTxt } from './site/security-txt.ts';
import { serveVisits } from './site/visits.ts';
import { webFiles } from './site/web-files.ts';
import { type SquareWebhooks, serveSquareWebhooks } from './square-webhooks.ts';
import { createCounters } from './throttle/counters.ts';
import { createPaymentGuard } from './throttle/payment-guard.ts';
import type { Throttles } from './throttle/throttle.ts';

export type ApiOptions = {
  readonly world: World;
  readonly facts: PublicFacts;
  readonly settings: SavedSettings;
  readonly imageHost: ImageHost;
  readonly origins: Origins;
  /** Who may use the back office. */
  readonly openDoor: OpenDoor;
  readonly rooms: readonly Room[];
  readonly throttling: Throttling;
  readonly metrics: Metrics;
  /** The bearer token for reading metrics. Absent: metrics are off. */
  readonly metricsToken: string | undefined;
  readonly webhooks: SquareWebhooks;
  /** Seconds since background work last polled with success. Absent: this process has no background work. */
  readonly secondsSincePolls?: () => number;
  /** Why the server cannot use the database's schema. Absent: the server always can. */
  readonly schemaMisfit?: () => string | undefined;
  /** Long reads must never delay a payment. Absent: exports use the serving pool. */
  readonly exporting?: Sql;
  /** An export is cut off after so long without a reader; by default a minute. */
  readonly stalledAfterMs?: number | undefined;
  /** Whether customers get mails. Absent: they get none. */
  readonly sendsMails?: boolean;
  /** Where the shop's mails go. Absent: nowhere. */
  readonly shopMail?: string | undefined;
  /** Absent: the domain is not registered for Apple Pay. */
  readonly applePayDomainAssociation?: string | undefined;
  /** `mailto:` or `https:`. Absent: there is no `security.txt`. */
  readonly securityContact?: string | undefined;
  /** Pages that only a development server has. */
  readonly developmentPages?: Hono | undefined;
  readonly pages?: Pages;
};

export type Throttling = {
  /** A separate pool, so that a payment never waits for counting. */
  readonly sql: Sql;
  readonly secret: string;
  readonly factor: number;
  readonly mostDeclinesPerHour: number;
  readonly trustedProxies: number;
};

export function createApi(options: ApiOptions) {
  const { world, facts, settings, origins, metrics, imageHost, rooms, pages: built } = options;
  const { secondsSincePolls = () => 0, schemaMisfit = () => undefined, sendsMails = false } = options;
  const current = () => settings.latest().settings;
  const throttles = throttlesOf(options);
  const receiving = { world, throttles, receipts: receiptCookie({ secure: origins.shop.startsWith('https:') }) };
  const { timeZone } = facts.config.business;
  const rates = currentRates(settings, { now: world.now, timeZone });
  const today = () => dayIn(timeZone, world.now());
  const { exporting = world.sql, stalledAfterMs = 60_000 } = options;
  const ownOrigin = (c: Context) => addressOfOrigin(c, origins);
  const app = new Hono<RequestEnv>()
    .use(identifyRequests(options.throttling.trustedProxies))
    .use(setHeaders(ownOrigin))
    .use(logAnswers(world.log, throttles.clientOf))
    .use(measureAnswers(metrics))
    .use(readToEnd)
    .onError((error, c) => {
      if (isCutOff(c)) return answerProblem(c, cutOff);
      const what = error instanceof Refused ? error.message : 'a request failed';
      world.log.error({ err: error, requestId: c.get('requestId') }, what);
      return answerProblem(c, problemOf(error));
    });
  const serve = createServe(app);
  serveHealth(serve, app, { sql: world.sql, secondsSincePolls, schemaMisfit });
  serveMetrics(serve, {
    metrics,
    sql: world.sql,
    token: options.metricsToken,
    secondsSincePolls,
    gauges: rooms.flatMap(({ gauges = [] }) => gauges),
  });
  app
    .use(keepOriginsApart(origins))
    .use('/api/*', forbidCaching)
    .use('/api/*', refuseWritesDuring(schemaMisfit))
    .use('/api/*', limitBody);
  // Before the guard against other sites: Square is one, and authenticates by its signature.
  serveSquareWebhooks(serve, app, { ...options.webhooks, sql: world.sql, log: world.log, metrics });
  // Browsers choose the content type of a report.
  serveCspReports(serve, { throttles, log: world.log });
  app.use('/api/*', refuseForeignWrites(ownOrigin)).use('/api/admin/*', refuseForeignReads(ownOrigin));
  serveVisits(serve, throttles);
  servePublicFacts(serve, facts);
  serveQuotes(serve, { sql: world.sql, settings: current, rates: rates.latest, today, throttles });
  const guard = guardOf(options, throttles);
  servePayments(serve, { ...receiving, rates: rates.current, today, guard, sendsMails });
  for (const room of rooms) room.serveShop?.({ serve, throttles, guard });
  serveOrders(serve, { ...receiving, business: () => current().business, timeZone, shopUrl: origins.shop, sendsMails });
  const door = options.openDoor({ throttles, officeUrl: origins.office });
  serveBackOffice(app, door, {
    ...{ world, throttles, exporting, stalledAfterMs, timeZone, settings, imageHost, rooms },
    ...{ shopMail: options.shopMail, shopUrl: origins.shop },
  });
  serveImages(serve, world.sql);
  serveApplePay(serve, options.applePayDomainAssociation);
  serveSecurityTxt(serve, { contact: options.securityContact, publicUrl: origins.shop, now: world.now });
  if (options.developmentPages !== undefined) app.route('/', options.developmentPages);
  if (built === undefined) return app;
  return app.route('/', webFiles(built)).route('/', pages(built, siteOf(options, rates, door)));
}

function siteOf({ facts, origins, world }: ApiOptions, { latest: rates }: CurrentRates, door: Doorkeeper) {
  const startOf = inTime(async (c) => {
    const session = await door.sessionOf(c);
    return session && { session, version: await readVersion(world.sql) };
  }, world.log);
  return {
    handOver: facts.config.checkoutTopLevel ? { rates, origin: new URL(origins.shop).origin } : undefined,
    isOffice: (c: Context) => originOf(c, origins) === 'office',
    startOf,
    shopUrl: origins.shop,
  };
}

function problemOf(error: Error): Problem {
  if (error instanceof Refused) return error.problem;
  if (error instanceof TooBusy) return busy;
  if (isTemporary(error) || isOfOtherSchema(error)) return unavailable;
  const message = 'Something went wrong on our side. Please try again.';
  return { status: 500, code: 'InternalError', message };
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
    isKnown: async (key) => (await repeatWhileAway(() => findCommand(world.sql, payCommandId(key)))) !== undefined,
  });
}
