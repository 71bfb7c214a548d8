import { isSecurityKind } from '@kilim/domain/people/security-log';
import { pageOf, type SecuritySearch } from '../shared/list-search.ts';

/** Drops what the query refuses: a mistyped address still shows the list. */
export function securitySearch({ page, kind, person }: Readonly<Record<string, unknown>>): SecuritySearch {
  const known = pageOf(page);
  return {
    ...(known === undefined ? {} : { page: known }),
    ...(typeof kind === 'string' && isSecurityKind(kind) ? { kind } : {}),
    // The router reads a name like a number as one.
    ...(typeof person === 'string' || typeof person === 'number' ? { person: String(person).slice(0, 64) } : {}),
  };
}
