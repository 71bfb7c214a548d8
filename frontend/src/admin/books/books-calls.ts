import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { adminLoad } from '../api/admin-request.ts';
import { type Glance, glanceSchema } from './wire.ts';

export const glanceQuery = queryOptions({
  queryKey: ['admin', 'books'],
  queryFn: async ({ signal }) =>
    (await adminLoad({ path: '/api/admin/books/glance', schema: glanceSchema, signal })).body,
});

/** Has everything compared anew in the background. @throws ApiError */
export async function askForComparison(): Promise<void> {
  await adminLoad({ path: '/api/admin/books/comparison', schema: z.unknown(), body: {} });
}

/** When everything was compared last; undefined while something never was. */
export function comparedAt(glance: Glance | undefined): string | undefined {
  const { comparison, reconciliation } = glance ?? {};
  if (!comparison || !reconciliation) return undefined;
  return [comparison.madeAt, reconciliation.madeAt].toSorted()[0];
}

/** What a person has to look at; undefined while not everything was compared. */
export function countDifferences(glance: Glance): number | undefined {
  const { comparison, reconciliation } = glance;
  if (comparison === null || reconciliation === null) return undefined;
  return comparison.differing + comparison.unmatched + reconciliation.differing;
}
