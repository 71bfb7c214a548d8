import {
  type ExplanationRequest,
  type OrphanAssignment,
  type OrphanRefundRequest,
  orphanRefund,
  type WriteOffRequest,
} from '@kilim/bff/contract/resolutions';
import { call } from '../../../shared/call.ts';
import { outcomeOf } from '../api/outcome.ts';

export function explainDifference(body: ExplanationRequest) {
  return outcomeOf(call('POST /api/admin/books/differences/explain', { body }));
}

export function assignOrphan(body: OrphanAssignment) {
  return outcomeOf(call('POST /api/admin/books/differences/assign', { body }));
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
