import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
import type { Result } from '@kilim/domain/result';
import { sha256 } from '../../../bff/src/core/ledger/hash.ts';
import type { PlannedOrder } from './plan.ts';

export type Step = { readonly at: string; readonly events: readonly [OrderEvent, ...OrderEvent[]] };

export function orderIdOf({ number }: Pick<PlannedOrder, 'number'>): OrderId {
  return `0199d5a0-7c00-7000-8000-${String(number).padStart(12, '0')}` as OrderId;
}

export function paymentOf({ number }: Pick<PlannedOrder, 'number'>) {
  return { paymentId: String(number).padStart(32, '0') as PaymentId, squarePaymentId: `sq-payment-${number}` };
}

export function commandOf(commandId: string, at: string) {
  const occurredAt = new Date(at);
  return {
    commandId,
    requestHash: sha256(commandId),
    actor: 'reconciliation' as const,
    requestId: undefined,
    occurredAt,
  };
}

export function allowed<Events>(decided: Result<Events, { readonly code: string }>): Events {
  if (!decided.ok) throw new Error(decided.rejection.code);
  return decided.value;
}

export function instant(at: string): string {
  return new Date(at).toISOString();
}
