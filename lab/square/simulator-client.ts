import type { OpenDispute } from './disputes.ts';
import type { FaultInput, SetFault } from './faults.ts';
import type { History } from './history.ts';
import type { Delivery } from './outbox.ts';
import type { Adjustment } from './payouts.ts';
import type { RequestLogEntry } from './request-log.ts';
import type { OutboxEntry, PaymentRecord, RefundRecord } from './state.ts';
import type { DisputeState } from './wire.ts';
import type { Settings } from './world.ts';

export type ObservedPayment = PaymentRecord & { readonly refunds: readonly RefundRecord[] };

export type SimulatorClient = ReturnType<typeof connectSimulator>;

/** Tests compare the ledger with what the local Square reports. */
export function connectSimulator(url: string) {
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
  const create = async <Name extends string>(path: string, body: object, name: Name): Promise<string> =>
    ((await call('POST', path, body)) as Record<Name, { readonly id: string }>)[name].id;
  return {
    payments: async (): Promise<readonly ObservedPayment[]> =>
      (await read<{ payments: ObservedPayment[] }>('/payments')).payments,
    payment: (id: string) => read<ObservedPayment>(`/payments/${id}`),
    refunds: async (): Promise<readonly RefundRecord[]> =>
      (await read<{ refunds: RefundRecord[] }>('/refunds')).refunds,
    faults: async (): Promise<readonly SetFault[]> => (await read<{ faults: SetFault[] }>('/faults')).faults,
    setFault: (fault: FaultInput) => act('POST', '/faults', fault),
    clearFaults: () => act('DELETE', '/faults'),
    requests: async (): Promise<readonly RequestLogEntry[]> =>
      (await read<{ requests: RequestLogEntry[] }>('/requests')).requests,
    events: () =>
      read<{ readonly events: readonly OutboxEntry[]; readonly deliveries: readonly Delivery[] }>('/events'),
    redeliver: (eventId: string) => act('POST', `/events/${eventId}/redeliver`),
    settleRefund: (id: string, status: 'COMPLETED' | 'FAILED' | 'REJECTED') =>
      act('POST', `/refunds/${id}/settle`, { status }),
    /**
     * Even more than was captured.
     * @returns the refund's id.
     */
    forceRefund: (paymentId: string, amount: number) => create('/refunds', { paymentId, amount }, 'refund'),
    /**
     * As the customer's bank does.
     * @returns the dispute's id.
     */
    openDispute: (paymentId: string, terms: Partial<Omit<OpenDispute, 'paymentId'>> = {}) =>
      create('/disputes', { paymentId, ...terms }, 'dispute'),
    decideDispute: (id: string, state: DisputeState) => act('POST', `/disputes/${id}/decide`, { state }),
    sellAtCounter: (amount: number) => create('/counter-sales', { amount }, 'payment'),
    /**
     * Without an order.
     * @returns the payment's id.
     */
    payByLink: (amount: number) => create('/link-payments', { amount }, 'payment'),
    /**
     * The balance with these adjustments.
     * @returns the payout's id.
     */
    payOut: (adjustments: readonly Adjustment[] = []) => create('/payouts', { adjustments }, 'payout'),
    endPayout: (id: string, status: 'PAID' | 'FAILED') => act('POST', `/payouts/${id}/end`, { status }),
    tellHistory: (history: History) => act('POST', '/history', history),
    change: (settings: Partial<Settings>) => act('PATCH', '/settings', settings),
    advanceClock: (advanceSeconds: number) => act('POST', '/clock', { advanceSeconds }),
    reset: () => act('POST', '/reset'),
  };
}
