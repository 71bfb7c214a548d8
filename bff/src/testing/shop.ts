import { builtInPrices } from '@kilim/domain/catalog';
import { createApi } from '../api.ts';
import { connectSimulator, type SimulatorClient } from '../card/simulator/simulator-client.ts';
import { type Simulator, startSimulator } from '../card/simulator/start-simulator.ts';
import { createSquareProcessor } from '../card/square.ts';
import type { Sql } from '../database.ts';
import { builtInSettings } from '../http/built-in-settings.ts';
import type { PaymentAnswer, PaymentRequest, QuoteAnswer, QuoteRequest } from '../http/wire.ts';
import { createLogger } from '../logger.ts';
import type { PaymentWorld } from '../use-case/record-payment.ts';

/** Simulator and server as `npm start` wires them, in this process: real HTTP to the local Square, real SQL. */
export type Shop = {
  readonly world: PaymentWorld;
  readonly simulator: Simulator;
  /** What stands at Square, whatever we believe. */
  readonly square: SimulatorClient;
  /** Everything that was logged, as JSON lines. */
  readonly logged: string[];
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export const simulatorIdentity = {
  accessToken: 'simulator-access-token',
  locationId: 'LSIMULATOR0001',
  applicationId: 'sandbox-sq0idb-kilim-simulator',
};

export async function openShop(sql: Sql): Promise<Shop> {
  const simulator = await startSimulator({ ...simulatorIdentity, host: '127.0.0.1', port: 0 });
  const card = createSquareProcessor({ ...simulatorIdentity, baseUrl: simulator.url, timeoutSeconds: 0.4 });
  await card.warmUp();
  const logged: string[] = [];
  const log = createLogger({ level: 'trace', destination: { write: (line) => void logged.push(line) } });
  const world: PaymentWorld = { sql, card, log, now: () => new Date() };
  const app = createApi({
    world,
    facts: { config: configFor(simulator.url), settings: () => builtInSettings },
    prices: () => builtInPrices,
    publicUrl: 'http://kilim.test',
  });
  return {
    world,
    simulator,
    square: connectSimulator(simulator.url),
    logged,
    get: async (path, headers = {}) => app.request(path, { headers }),
    post: async (path, body, headers = {}) =>
      app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: simulator.close,
  };
}

function configFor(simulatorUrl: string) {
  return {
    square: { ...simulatorIdentity, environment: 'simulator' as const, scriptUrl: `${simulatorUrl}/v1/square.js` },
    parentOrigins: [],
    abConversionUrl: null,
    checkoutTopLevel: false,
    business: { name: 'Kilim', phone: '', bookingUrl: '', timeZone: 'America/Los_Angeles', dropOffSites: [] },
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
  rugs: [
    {
      widthFeet: 8,
      widthInches: 0,
      lengthFeet: 10,
      lengthInches: 0,
      serviceTier: 'premium',
      stainProtection: true,
      mothProtection: false,
      repairInspection: false,
    },
    {
      widthFeet: 5,
      widthInches: 6,
      lengthFeet: 7,
      lengthInches: 0,
      serviceTier: 'economy',
      stainProtection: false,
      mothProtection: true,
      repairInspection: false,
    },
  ],
  deliveryOption: 'pickup',
  customerInfo: adaLovelace,
};

/** What the browser sends to pay a quote, with a key of its own. */
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

export async function paid(shop: Shop, payment: PaymentRequest) {
  const answer = await shop.post('/api/process-payment', payment);
  return { status: answer.status, body: (await answer.json()) as PaymentAnswer & { code?: string } };
}
