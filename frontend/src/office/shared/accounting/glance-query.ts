import { type Glance, glance } from '@kilim/bff/contract/glance';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { booksKey } from '../api/query-keys.ts';

export const glanceQuery = adminQuery(booksKey, call('GET /api/admin/books/glance', { answer: glance }));

/** A fault that the proof with a kept note has found stays, also when the servers find none. */
export function countFaults({ check, verification }: Pick<Glance, 'check' | 'verification'>): number {
  return Math.max(check?.faults ?? 0, verification?.faults ?? 0);
}
