import { type Glance, glance } from '@kilim/bff/contract/glance';
import {
  type ExplanationRequest,
  type OrphanAssignment,
  type OrphanRefundRequest,
  orphanRefund,
  type WriteOffRequest,
} from '@kilim/bff/contract/resolutions';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminLoad } from '../api/admin-request.ts';
import { outcomeOf } from '../api/outcome.ts';

export const glanceQuery = adminQuery(['admin', 'books'], call('GET /api/admin/books/glance', { answer: glance }));

/**
 * Compares in the background.
 * @throws ApiError
 */
export async function askForComparison(): Promise<void> {
  await adminLoad(call('POST /api/admin/books/comparison'));
}

/** Undefined before the first complete comparison. */
export function comparedAt(glance: Glance | undefined): string | undefined {
  const { comparison, reconciliation } = glance ?? {};
  if (!comparison || !reconciliation) return undefined;
  return [comparison.madeAt, reconciliation.madeAt].toSorted()[0];
}

export function countDifferences(glance: Glance): number | undefined {
  const { comparison, reconciliation } = glance;
  if (comparison === null || reconciliation === null) return undefined;
  return comparison.differing + comparison.unmatched + reconciliation.differing;
}

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
