import { isSecurityKind, type SecurityKind } from '@kilim/domain/admin/security-log';
import { pageOf } from '../layout/list-search.ts';

export type SecuritySearch = {
  readonly page?: number;
  readonly kind?: SecurityKind;
  /** A sign-in name. */
  readonly person?: string;
};

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
