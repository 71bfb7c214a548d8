import { type Glance, glance } from '@kilim/bff/contract/glance';
import * as z from 'zod/mini';
import { adminQuery } from '../api/admin-query.ts';
import { adminLoad } from '../api/admin-request.ts';

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
