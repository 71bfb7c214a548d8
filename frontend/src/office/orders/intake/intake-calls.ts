import { type Intake, intake } from '@kilim/bff/contract/intake';
import type { IntakeRequest } from '@kilim/bff/contract/intake-request';
import { decimalDollars, noCents } from '@kilim/domain/money';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../../shared/api/admin-query.ts';
import { outcomeOf } from '../../shared/api/outcome.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';

export function intakeQuery(orderId: string) {
  return adminQuery(
    [...moneyKey, 'intake', orderId],
    call('GET /api/admin/orders/:id/intake', { params: { id: orderId }, answer: intake }),
  );
}

export function recordStep(orderId: string, body: IntakeRequest) {
  return outcomeOf(call('POST /api/admin/orders/:id/intake', { params: { id: orderId }, body, answer: intake }));
}

type Measured = Pick<NonNullable<Intake['measurement']>, 'number' | 'refund'>;

export function refundMeasured(orderId: string, { number, refund }: Measured) {
  const body = { measurement: number, amount: decimalDollars(refund ?? noCents) };
  return outcomeOf(call('POST /api/admin/orders/:id/intake/refund', { params: { id: orderId }, body, answer: intake }));
}
