import type { PaymentRequest, QuoteRequest } from '@kilim/bff/contract/order-request';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { rugToWire } from '@kilim/bff/contract/rug';
import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import { economyWithGreenPad, largePremium } from '@kilim/domain/testing/rugs';
import { accounting, payoutRecorder } from '../../bff/src/accounting/room.ts';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { createApi, type Throttling } from '../../bff/src/core/http/api.ts';
import { imagesInPostgres } from '../../bff/src/core/http/images/in-postgres.ts';
import { namesBackOffice, type Origins } from '../../bff/src/core/http/origins.ts';
import { factsOf } from '../../bff/src/core/http/shop/public-facts.ts';
import type { WebhookSigns } from '../../bff/src/core/http/square-webhooks.ts';
import { openSavedSettings, type SavedSettings } from '../../bff/src/core/queries/saved-settings.ts';
import type { Room } from '../../bff/src/core/room.ts';
import { createLogger } from '../../bff/src/core/runtime/logger.ts';
import { createMetrics, type Metrics } from '../../bff/src/core/runtime/metrics.ts';
import type { CardProcessor } from '../../bff/src/core/square/card-processor.ts';
import { createSquareProcessor } from '../../bff/src/core/square/square.ts';
import type { World } from '../../bff/src/core/use-case/world.ts';
import { intake } from '../../bff/src/intake/room.ts';
import {
  type DoorOptions,
  openDoor,
  people,
  refundWithinLimits,
  type SecondFactorRules,
} from '../../bff/src/people/room.ts';
import { type ProofOptions, proof } from '../../bff/src/proof/room.ts';
import { listen } from '../../bff/src/start/listen.ts';
import { connectSimulator, type SimulatorClient } from '../square/simulator-client.ts';
import { type Simulator, startSimulator } from '../square/start-simulator.ts';
import { checkFitsContract } from './fits-contract.ts';

/** As in `npm start` but in this process, with real HTTP and SQL. */
export type Shop = {
  readonly world: World;
  readonly simulator: Simulator;
  /** Independent of the ledger. */
  readonly square: SimulatorClient;
  readonly logged: string[];
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Calls of the back office go to its own origin, all others to the shop's. */
  readonly request: (path: string, init: RequestInit) => Promise<Response>;
  readonly metrics: Metrics;
  readonly rooms: readonly Room[];
  readonly settings: SavedSettings;
  /** Absent: it does not listen, see `isToldBySquare`. */
  readonly listeningUrl: string | undefined;
  readonly appAt: (origins?: Origins) => Pick<ReturnType<typeof createApi>, 'fetch' | 'request'>;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  readonly webhooks: { readonly url: string; readonly signatureKey: string; readonly signs: WebhookSigns };
  readonly wakes: () => number;
  readonly close: () => Promise<void>;
};

export const simulatorIdentity = {
  accessToken: 'simulator-access-token',
  locationId: 'LSIMULATOR0001',
  applicationId: 'sandbox-sq0idb-kilim-simulator',
};

export type ShopOptions = {
  /** By default so wide that no test meets one by accident. */
  readonly throttling?: Partial<Throttling>;
  /** The server listens, and the local Square sends webhooks to it. */
  readonly isToldBySquare?: boolean;
  readonly metricsToken?: string;
  readonly now?: () => Date;
  readonly onSquareCall?: (verb: string) => void;
  /** By default nothing is signed. */
  readonly proof?: Pick<ProofOptions, 'signer' | 'witnesses'>;
  readonly stalledAfterMs?: number;
  /** Why the server cannot use the schema; by default it can. */
  readonly schemaMisfit?: () => string | undefined;
  /** In production accounts need a second factor; by default they may have one. */
  readonly secondFactor?: SecondFactorRules;
  readonly sendsMails?: boolean;
  readonly shopMail?: string;
  readonly accountant?: string;
};

/** A longer wait would test nothing more, and a test that looks once sees nothing in a late list. */
const squareSettings = { refundSettlesAfterMs: 200, listLagMs: 0 };

export async function openShop(sql: Sql, options: ShopOptions = {}): Promise<Shop> {
  const simulator = await startSimulator({
    ...simulatorIdentity,
    host: '127.0.0.1',
    port: 0,
    settings: squareSettings,
  });
  const card = observeCalls(await cardProcessorOf(simulator), options.onSquareCall);
  const logged: string[] = [];
  const log = createLogger({ level: 'trace', destination: { write: (line) => void logged.push(line) } });
  const now = options.now ?? (() => new Date());
  const world: World = { sql, card, log, now, refundWithin: refundWithinLimits, payouts: payoutRecorder };
  const metrics = createMetrics();
  const config = configFor(simulator.url);
  const settings = await openSavedSettings({ sql, log, business: config.business });
  let wakes = 0;
  const wake = () => {
    wakes += 1;
  };
  const webhooks = newWebhooks();
  const throttling = { ...wide, sql, ...options.throttling };
  const rooms = roomsOf({ world, settings, metrics }, options);
  const door = doorOf({ world, settings, counting: throttling }, options);
  const api = (webhookUrl: string, origins: Origins = ownOrigins) =>
    createApi({
      world,
      facts: factsOf(config, settings, world.now),
      settings,
      imageHost: imagesInPostgres(sql),
      origins,
      ...{ openDoor: door, rooms, throttling, metrics },
      stalledAfterMs: options.stalledAfterMs,
      metricsToken: options.metricsToken,
      ...{ sendsMails: options.sendsMails ?? false, shopMail: options.shopMail },
      webhooks: { ...webhooks, url: webhookUrl, wake },
      schemaMisfit: options.schemaMisfit ?? (() => undefined),
    });
  const app = api(webhooks.url);
  const server = options.isToldBySquare === true ? await listenToSquare(simulator, (url) => api(url)) : undefined;
  // Whatever the headers say.
  const bindings = { incoming: { socket: { remoteAddress: '192.0.2.10' } } };
  const request = async (path: string, init: RequestInit) => {
    const origin = namesBackOffice(path) ? ownOrigins.office : ownOrigins.shop;
    const answer = await app.request(`${origin}${path}`, init, bindings);
    await checkFitsContract(init.method ?? 'GET', path, answer);
    return answer;
  };
  return {
    world,
    simulator,
    square: connectSimulator(simulator.url),
    logged,
    request,
    metrics,
    rooms,
    webhooks,
    wakes: () => wakes,
    ...shortcuts(request),
    settings,
    listeningUrl: server && `http://127.0.0.1:${server.port}`,
    routes: app.routes,
    appAt: (origins) => api(webhooks.url, origins),
    close: async () => {
      await settings.stop();
      await simulator.close();
      await server?.close(1);
    },
  };
}

function doorOf(ground: Omit<DoorOptions, 'timeZone'>, { secondFactor = optional }: ShopOptions) {
  return openDoor({ ...ground, timeZone, secondFactor });
}

const optional: SecondFactorRules = { required: false, key: 'a key for tests' };
const timeZone = 'America/Los_Angeles';

type Ground = { readonly world: World; readonly settings: SavedSettings; readonly metrics: Metrics };

function roomsOf({ world, settings, metrics: { registry } }: Ground, options: ShopOptions): readonly Room[] {
  const { signer = undefined, witnesses = [] } = options.proof ?? {};
  const places = { needsWitness: false, production: false };
  return [
    people(world.sql),
    intake({ world, settings, timeZone }),
    proof({ ...{ world, signer, witnesses, registry }, ...places, withReader: (use) => use(world.sql) }),
    accounting({ world, timeZone, signer, witnesses, accountant: options.accountant, registry }),
  ];
}

function shortcuts(request: Shop['request']): Pick<Shop, 'get' | 'post'> {
  return {
    get: (path, headers = {}) => request(path, { headers }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

/** A busy machine must not look like a Square that does not answer. */
const usualTimeoutSeconds = 10;
/** The test waits for this timeout. */
const hangingTimeoutSeconds = 0.4;

const pathsThatHang: Readonly<Record<string, string>> = {
  authorize: '/v2/payments',
  complete: '/v2/payments/*/complete',
  refund: '/v2/refunds',
};

/** Gives up early only on calls that hang. */
async function cardProcessorOf(simulator: Simulator): Promise<CardProcessor> {
  const withTimeout = (timeoutSeconds: number) =>
    createSquareProcessor({ ...simulatorIdentity, baseUrl: simulator.url, timeoutSeconds });
  const { warmUp, ...usual } = withTimeout(usualTimeoutSeconds);
  const hurried: CardProcessor = withTimeout(hangingTimeoutSeconds);
  await warmUp();
  const hangs = (verb: string) =>
    simulator.faults().some(({ fault }) => {
      return 'path' in fault && fault.kind.startsWith('hang') && fault.path === pathsThatHang[verb];
    });
  return new Proxy<CardProcessor>(usual, {
    get: (target, verb) => Reflect.get(hangs(String(verb)) ? hurried : target, verb) as unknown,
  });
}

function observeCalls(card: CardProcessor, onCall: ShopOptions['onSquareCall']): CardProcessor {
  if (onCall === undefined) return card;
  return new Proxy(card, {
    get: (target, verb, receiver) => {
      onCall(String(verb));
      return Reflect.get(target, verb, receiver) as unknown;
    },
  });
}

const newWebhooks = (): Shop['webhooks'] => ({
  url: 'http://kilim.test/api/webhooks/square',
  signatureKey: 'simulator-signature-key',
  signs: {},
});

const ownOrigins: Origins = { shop: 'http://kilim.test', office: 'http://office.kilim.test' };

const wide = { secret: 'test', factor: 1_000_000, mostDeclinesPerHour: 60, trustedProxies: 0 };

async function listenToSquare(simulator: Simulator, api: (webhookUrl: string) => ReturnType<typeof createApi>) {
  const urlAt = (port: number) => `http://127.0.0.1:${port}/api/webhooks/square`;
  const server = await listen({ host: '127.0.0.1', port: 0, handler: (port) => api(urlAt(port)) });
  simulator.subscribe({ url: urlAt(server.port), signatureKey: 'simulator-signature-key' });
  return server;
}

function configFor(simulatorUrl: string) {
  return {
    square: { ...simulatorIdentity, environment: 'simulator' as const, scriptUrl: `${simulatorUrl}/v1/square.js` },
    parentOrigins: [],
    abConversionUrl: null,
    checkoutTopLevel: false,
    business: { name: 'Kilim', phone: '', bookingUrl: '', timeZone, dropOffSites: [] },
  };
}

export const adaLovelace = {
  name: 'Ada Lovelace',
  email: 'ada.lovelace@example.com',
  phone: '3105550142',
  address: '12 Analytical Way',
  city: 'Los Angeles',
  state: 'CA',
  zipCode: '90025',
};

/** 8 ft x 10 ft premium and 5 ft 6 in x 7 ft economy with Green Pad, picked up: 758.22. */
export const twoRugs: QuoteRequest = {
  rugs: [largePremium, economyWithGreenPad].map(rugToWire),
  deliveryOption: 'pickup',
  customerInfo: adaLovelace,
};

export function paymentFor(quote: QuoteAnswer, more: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    token: 'cnon:card-nonce-ok',
    amount: quote.totalAmount,
    idempotencyKey: crypto.randomUUID(),
    orderDetails: { ...twoRugs, orderId: quote.orderId },
    ...more,
  };
}

export async function quoted(shop: Shop, request: QuoteRequest = twoRugs): Promise<QuoteAnswer> {
  const answer = await shop.post('/api/quote', request);
  if (answer.status !== 200) throw new Error(`No quote: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as QuoteAnswer;
}

export async function sendPayment(shop: Shop, payment: PaymentRequest) {
  const answer = await shop.post('/api/process-payment', payment);
  return { status: answer.status, body: (await answer.json()) as PaymentAnswer & { code?: string } };
}

/** @throws Error when the answer is not 200. */
export async function paid(shop: Shop, payment: PaymentRequest): Promise<Extract<PaymentAnswer, { success: true }>> {
  const { status, body } = await sendPayment(shop, payment);
  if (status !== 200 || !body.success) throw new Error(`Not paid: ${status} ${JSON.stringify(body)}`);
  return body;
}

/**
 * Of `twoRugs`.
 * @returns its id, and the payment's id at Square.
 */
export async function paidOrder(shop: Shop): Promise<{ readonly orderId: OrderId; readonly squareId: string }> {
  const quote = await quoted(shop);
  await paid(shop, paymentFor(quote));
  const [row] = await shop.world.sql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary where order_id = ${quote.orderId}::uuid`;
  const orderId = parseOrderId(quote.orderId);
  if (orderId === undefined || row === undefined) throw new Error('The order was not paid');
  return { orderId, squareId: row.id };
}
