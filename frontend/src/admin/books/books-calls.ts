import { type Glance, glance } from '@kilim/bff/contract/glance';
import {
  type ExplanationRequest,
  type OrphanAssignment,
  type OrphanRefundRequest,
  orphanRefund,
  type WriteOffRequest,
} from '@kilim/bff/contract/resolutions';
import * as z from 'zod/mini';
import { adminQuery } from '../api/admin-query.ts';
import { adminLoad } from '../api/admin-request.ts';
import { outcomeOf } from '../api/outcome.ts';

export const glanceQuery = adminQuery(['admin', 'books'], { path: '/api/admin/books/glance', schema: glance });

/** Starts a comparison in the background. @throws ApiError */
export async function askForComparison(): Promise<void> {
  await adminLoad({ path: '/api/admin/books/comparison', schema: z.unknown(), body: {} });
}

/** The time of the last complete comparison; undefined before the first one. */
export function comparedAt(glance: Glance | undefined): string | undefined {
  const { comparison, reconciliation } = glance ?? {};
  if (!comparison || !reconciliation) return undefined;
  return [comparison.madeAt, reconciliation.madeAt].toSorted()[0];
}

/** The number of differences; undefined before the first complete comparison. */
export function countDifferences(glance: Glance): number | undefined {
  const { comparison, reconciliation } = glance;
  if (comparison === null || reconciliation === null) return undefined;
  return comparison.differing + comparison.unmatched + reconciliation.differing;
}

/** Takes a difference off the list, with a reason. */
export function explainDifference(body: ExplanationRequest) {
  return outcomeOf({ path: '/api/admin/books/differences/explain', schema: z.unknown(), body });
}

/** Books a payment without an order as income of an order. */
export function assignOrphan(body: OrphanAssignment) {
  return outcomeOf({ path: '/api/admin/books/differences/assign', schema: z.unknown(), body });
}

/** Writes off a payment without an order. */
export function writeOrphanOff(body: WriteOffRequest) {
  return outcomeOf({ path: '/api/admin/books/differences/write-off', schema: z.unknown(), body });
}

/** Writes off an open item of the clearing account. */
export function writeItemOff(body: WriteOffRequest) {
  return outcomeOf({ path: '/api/admin/books/clearing/write-off', schema: z.unknown(), body });
}

export function undoResolution(version: number) {
  return outcomeOf({ path: `/api/admin/books/resolutions/${version}/undo`, schema: z.unknown(), body: {} });
}

/** Has Square refund a payment without an order. */
export function refundOrphan(body: OrphanRefundRequest) {
  return outcomeOf({ path: '/api/admin/books/differences/refund', schema: orphanRefund, body });
}
