import { orderRows } from '@kilim/bff/contract/orders';
import {
  type ExplanationRequest,
  type OrphanAssignment,
  type OrphanRefundRequest,
  orphanRefund,
  type WriteOffRequest,
} from '@kilim/bff/contract/resolutions';
import { call } from '../../../shared/call.ts';
import { type Outcome, outcomeOf } from '../api/outcome.ts';
import { resolveTexts } from './texts.ts';

export function explainDifference(body: ExplanationRequest) {
  return outcomeOf(call('POST /api/admin/books/differences/explain', { body }));
}

type NumberedAssignment = Omit<OrphanAssignment, 'orderId'> & {
  /** Its number, as a person types it. */
  readonly order: string;
};

export async function assignOrphan({ order, ...booking }: NumberedAssignment): Promise<Outcome<unknown>> {
  const search = { search: order, payment: 'all' } as const;
  const found = await outcomeOf(call('GET /api/admin/orders', { query: search, answer: orderRows }));
  if (found.kind !== 'done') return found;
  const [row, ...others] = found.value;
  if (row === undefined || others.length > 0) {
    return { kind: 'failed', code: 'NoSuchOrder', message: resolveTexts.noSuchOrder, fields: {} };
  }
  const body = { ...booking, orderId: row._id };
  return await outcomeOf(call('POST /api/admin/books/differences/assign', { body }));
}

export function writeOrphanOff(body: WriteOffRequest) {
  return outcomeOf(call('POST /api/admin/books/differences/write-off', { body }));
}

export function writeItemOff(body: WriteOffRequest) {
  return outcomeOf(call('POST /api/admin/books/clearing/write-off', { body }));
}

export function undoResolution(version: number) {
  return outcomeOf(call('POST /api/admin/books/resolutions/:version/undo', { params: { version: String(version) } }));
}

export function refundOrphan(body: OrphanRefundRequest) {
  return outcomeOf(call('POST /api/admin/books/differences/refund', { body, answer: orphanRefund }));
}
