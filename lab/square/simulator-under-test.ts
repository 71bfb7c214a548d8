import { SquareClient } from 'square';
import { type Simulator, type SimulatorOptions, startSimulator } from './start-simulator.ts';

export const identity = {
  accessToken: 'SIM_TOKEN',
  locationId: 'LSIM0000000001',
  applicationId: 'sandbox-sq0idb-SIM',
} as const;

/** Each answer in full, even in a suite with a hostile Square. */
export function startTestSimulator(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const settings = { hostile: false, ...options.settings };
  return startSimulator({ ...identity, port: 0, host: '127.0.0.1', ...options, settings });
}

/** Square's own SDK must work with the local Square. */
export function squareSdk(url: string, token: string = identity.accessToken): SquareClient {
  return new SquareClient({ token, baseUrl: url, timeoutInSeconds: 1, maxRetries: 0 });
}

/** 100.25 dollars; captured immediately by default, as at Square. */
export function paymentRequest(idempotencyKey: string, changed: object = {}) {
  return {
    idempotencyKey,
    sourceId: 'cnon:card-nonce-ok',
    amountMoney: { amount: 10_025n, currency: 'USD' as const },
    locationId: identity.locationId,
    referenceId: 'order-a',
    ...changed,
  };
}
