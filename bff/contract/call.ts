import { type Permission, permissions } from '@kilim/domain/admin/permissions';
import type * as z from 'zod/mini';

export type Call = {
  /** The purpose of the call, as an imperative. */
  readonly summary: string;
  /** `recent-session`: the admin gave the password within the last ten minutes. */
  readonly access: 'anyone' | 'session' | 'recent-session' | 'export-token' | 'metrics-token' | 'square-signature';
  /** The right that a call of the back office needs. */
  readonly permission?: Permission;
  readonly body?: z.ZodMiniType | { readonly mediaType: string };
  readonly query?: z.ZodMiniType;
  /** By status: a schema, the media type of an answer that is not JSON, or null for an answer without a body. */
  readonly answers: Readonly<Record<number, z.ZodMiniType | { readonly mediaType: string } | null>>;
  /** The statuses whose answer is a problem, besides those that every call can have. */
  readonly problems?: readonly number[];
};

export type Calls = Readonly<Record<`${'GET' | 'POST' | 'DELETE'} /${string}`, Call>>;

/** Calls that have the same access, unless one names another. */
export function withAccess(
  access: Call['access'],
  calls: Readonly<Record<keyof Calls, Omit<Call, 'access'> & Partial<Pick<Call, 'access'>>>>,
): Calls {
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, { access, ...call }]));
}

type OfficeCall = Omit<Call, 'access' | 'permission'> &
  (
    | { readonly permission: Permission; readonly access?: 'export-token' }
    | { readonly permission?: never; readonly access: 'anyone' }
  );

/** Calls of the back office. Each names its permission, unless anyone may make it. */
export function withPermissions(officeCalls: Readonly<Record<keyof Calls, OfficeCall>>): Calls {
  return Object.fromEntries(
    Object.entries(officeCalls).map(([name, call]) => [name, { ...call, access: call.access ?? accessOf(call) }]),
  );
}

function accessOf({ permission }: { readonly permission: Permission }): Call['access'] {
  return permissions[permission].needsRecentProof ? 'recent-session' : 'session';
}

/** The statuses at which a call answers with a problem. */
export function problemStatuses({ access, permission, body, query, problems = [] }: Call): ReadonlySet<number> {
  return new Set([
    ...problems,
    // Too many requests, an error of the server, a database that is away.
    ...[429, 500, 503],
    // Malformed JSON, a page of another site, a body that is too large, another content type than JSON.
    ...(body === undefined ? [] : [400, 403, 413, 415]),
    // A parameter that does not fit.
    ...(query === undefined ? [] : [422]),
    ...(access === 'anyone' ? [] : [401]),
    // The role, a temporary password, or a proof that is too old.
    ...(permission === undefined ? [] : [403]),
  ]);
}
