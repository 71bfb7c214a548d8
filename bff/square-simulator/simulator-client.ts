import type { FaultInput, SetFault } from './faults.ts';
import type { Delivery } from './outbox.ts';
import type { Adjustment } from './payouts.ts';
import type { RequestLogEntry } from './request-log.ts';
import type { OutboxEntry, PaymentRecord, RefundRecord } from './state.ts';
import type { Settings } from './world.ts';

export type ObservedPayment = PaymentRecord & { readonly refunds: readonly RefundRecord[] };

/** Reads and controls the local Square over HTTP. Tests compare the ledger with what it reports. */
export type SimulatorClient = {
  /** The oldest first, each with its history. */
  readonly payments: () => Promise<readonly ObservedPayment[]>;
  readonly payment: (id: string) => Promise<ObservedPayment>;
  readonly refunds: () => Promise<readonly RefundRecord[]>;
  /** The faults that still have times left. */
  readonly faults: () => Promise<readonly SetFault[]>;
  readonly setFault: (fault: FaultInput) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  readonly requests: () => Promise<readonly RequestLogEntry[]>;
  readonly events: () => Promise<{ readonly events: readonly OutboxEntry[]; readonly deliveries: readonly Delivery[] }>;
  readonly redeliver: (eventId: string) => Promise<void>;
  readonly settleRefund: (id: string, status: 'COMPLETED' | 'FAILED' | 'REJECTED') => Promise<void>;
  /** Refunds any amount, even more than was captured. @returns the refund's id. */
  readonly forceRefund: (paymentId: string, amount: number) => Promise<string>;
  /** Disputes a payment, as the customer's bank does. @returns the dispute's id. */
  readonly openDispute: (paymentId: string, terms?: { readonly reason?: string }) => Promise<string>;
  readonly decideDispute: (id: string, state: 'WON' | 'LOST' | 'ACCEPTED') => Promise<void>;
  /** Makes a sale at the shop's counter. @returns the payment's id. */
  readonly sellAtCounter: (amount: number) => Promise<string>;
  /** Pays out the balance, changed by these adjustments. @returns the payout's id. */
  readonly payOut: (adjustments?: readonly Adjustment[]) => Promise<string>;
  /** The bank accepts the payout or returns it. */
  readonly endPayout: (id: string, status: 'PAID' | 'FAILED') => Promise<void>;
  readonly change: (settings: Partial<Settings>) => Promise<void>;
  readonly advanceClock: (seconds: number) => Promise<void>;
  readonly reset: () => Promise<void>;
};

export function connectSimulator(url: string): SimulatorClient {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/__sim${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /__sim${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const read = <Found>(path: string) => call('GET', path) as Promise<Found>;
  const act = async (method: string, path: string, body?: object) => void (await call(method, path, body));
  return {
    payments: async () => (await read<{ payments: ObservedPayment[] }>('/payments')).payments,
    payment: (id) => read(`/payments/${id}`),
    refunds: async () => (await read<{ refunds: RefundRecord[] }>('/refunds')).refunds,
    faults: async () => (await read<{ faults: SetFault[] }>('/faults')).faults,
    setFault: (fault) => act('POST', '/faults', fault),
    clearFaults: () => act('DELETE', '/faults'),
    requests: async () => (await read<{ requests: RequestLogEntry[] }>('/requests')).requests,
    events: () => read('/events'),
    redeliver: (eventId) => act('POST', `/events/${eventId}/redeliver`),
    settleRefund: (id, status) => act('POST', `/refunds/${id}/settle`, { status }),
    forceRefund: async (paymentId, amount) =>
      ((await call('POST', '/refunds', { paymentId, amount })) as { refund: { id: string } }).refund.id,
    openDispute: async (paymentId, terms = {}) =>
      ((await call('POST', '/disputes', { paymentId, ...terms })) as { dispute: { id: string } }).dispute.id,
    decideDispute: (id, state) => act('POST', `/disputes/${id}/decide`, { state }),
    sellAtCounter: async (amount) =>
      ((await call('POST', '/counter-sales', { amount })) as { payment: { id: string } }).payment.id,
    payOut: async (adjustments = []) =>
      ((await call('POST', '/payouts', { adjustments })) as { payout: { id: string } }).payout.id,
    endPayout: (id, status) => act('POST', `/payouts/${id}/end`, { status }),
    change: (settings) => act('PATCH', '/settings', settings),
    advanceClock: (advanceSeconds) => act('POST', '/clock', { advanceSeconds }),
    reset: () => act('POST', '/reset'),
  };
}
