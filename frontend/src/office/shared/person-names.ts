import { personNames } from '@kilim/bff/contract/people';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { adminQuery } from './api/admin-query.ts';
import { peopleKey } from './api/query-keys.ts';

export const personNamesQuery = adminQuery(
  [...peopleKey, 'names'],
  call('GET /api/admin/people/names', { answer: personNames }),
);

/** Other actors, such as `Customer`, and unknown people stay as they are. */
export function usePersonName(): (username: string) => string {
  const { data = [] } = useQuery({ ...personNamesQuery, staleTime: 60_000 });
  return (username) => data.find((person) => person.username === username)?.displayName ?? username;
}
