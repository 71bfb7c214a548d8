import { type Glance, glance } from '@kilim/bff/contract/glance';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { adminLoad } from '../shared/api/admin-request.ts';
import { booksKey } from '../shared/api/query-keys.ts';

export const glanceQuery = adminQuery(booksKey, call('GET /api/admin/books/glance', { answer: glance }));

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
