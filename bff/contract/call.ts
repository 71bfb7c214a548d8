import { type Permission, permissions } from '@kilim/domain/people/permissions';
import type * as z from 'zod/mini';

type Content = z.ZodMiniType | { readonly mediaType: string };

export type Call = {
  /** An imperative. */
  readonly summary: string;
  /** Absent: `access` says who may make the call. */
  readonly permission?: Permission;
  /** Absent without a permission: anyone. Absent with one: a session that has it. */
  readonly access?: 'anyone' | 'export-token' | 'metrics-token' | 'square-signature';
  readonly body?: Content;
  readonly query?: z.ZodMiniType<unknown, Record<string, unknown>>;
  /** Null: an answer without a body. */
  readonly answers: Readonly<Record<number, Content | null>>;
  /** Besides those that every call can have. */
  readonly problems?: readonly number[];
};

export type CallName = `${'GET' | 'POST' | 'DELETE'} /${string}`;
export type Calls = Readonly<Record<CallName, Call>>;

export type OfficeCalls = Readonly<
  Record<CallName, Call & ({ readonly permission: Permission } | { readonly access: 'anyone' })>
>;

export type ParamOf<Name extends string> = Name extends `${string}/:${infer Param}/${infer Rest}`
  ? Param | ParamOf<`/${Rest}`>
  : Name extends `${string}/:${infer Param}`
    ? Param
    : never;

/** `recent-session`: the person gave the password within the last ten minutes. */
export function accessOf({ access, permission }: Call): NonNullable<Call['access']> | 'session' | 'recent-session' {
  if (access !== undefined) return access;
  if (permission === undefined) return 'anyone';
  return permissions[permission].needsRecentProof ? 'recent-session' : 'session';
}

/** The statuses at which a call answers with a problem. */
export function problemStatuses(call: Call): ReadonlySet<number> {
  const { permission, body, query, problems = [] } = call;
  return new Set([
    ...problems,
    // Too many requests, an error of the server, a database that is away.
    ...[429, 500, 503],
    // Malformed JSON, a page of another site, a body that is too large, another content type than JSON.
    ...(body === undefined ? [] : [400, 403, 413, 415]),
    // A parameter that does not fit.
    ...(query === undefined ? [] : [422]),
    ...(accessOf(call) === 'anyone' ? [] : [401]),
    // The role, a temporary password, or a proof that is too old.
    ...(permission === undefined ? [] : [403]),
  ]);
}
