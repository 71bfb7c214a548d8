import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { ApiFailure, ApiRequest } from '../../shared/api-client.ts';
import { adminLoad, adminRequest, isSignedOut, messageOf, needsPassword } from '../api/admin-request.ts';
import { queryText } from '../api/query-text.ts';
import type { DayRange } from './day-range.ts';
import { type Books, booksSchema, contentsSchema, type ExportFormat, newTokenSchema, tokensSchema } from './wire.ts';

/** Years of orders take a while to be counted. */
const countingTimeoutMilliseconds = 120_000;

export function contentsQuery(range: DayRange) {
  return queryOptions({
    queryKey: ['admin', 'accounting', 'contents', range],
    queryFn: async ({ signal }) =>
      (
        await adminLoad({
          path: `/api/admin/ledger/contents${queryText(range)}`,
          schema: contentsSchema,
          signal,
          timeoutMilliseconds: countingTimeoutMilliseconds,
        })
      ).body,
  });
}

/** Where the browser fetches a file from, by itself: it never has to fit the memory of this page. */
export function downloadAddress(format: ExportFormat, range: DayRange): string {
  return `/api/admin/ledger/export${queryText({ format, ...range })}`;
}

export const booksQuery = queryOptions({
  queryKey: ['admin', 'accounting', 'books'],
  queryFn: async ({ signal }) => (await adminLoad({ path: '/api/admin/books', schema: booksSchema, signal })).body,
});

export const tokensQuery = queryOptions({
  queryKey: ['admin', 'accounting', 'tokens'],
  queryFn: async ({ signal }) =>
    (await adminLoad({ path: '/api/admin/export-tokens', schema: tokensSchema, signal })).body,
});

/** What became of something that asks for a password given not long ago. */
export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'password-needed' }
  /** The sign-in stands before the page, and everything typed is still there. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'failed'; readonly message: string };

export function closePeriod(through: string): Promise<Outcome<Books>> {
  return outcomeOf({ path: '/api/admin/books/close', schema: booksSchema, body: { through } });
}

export function nameAccounts({ version, accounts, taxRate }: Pick<Books, 'version' | 'accounts' | 'taxRate'>) {
  return outcomeOf({ path: '/api/admin/books/accounts', schema: booksSchema, body: { version, accounts, taxRate } });
}

export function createToken(name: string) {
  return outcomeOf({ path: '/api/admin/export-tokens', schema: newTokenSchema, body: { name } });
}

/** @returns whether it opens nothing any more */
export async function revokeToken(id: string): Promise<boolean> {
  const answer = await adminRequest({
    path: `/api/admin/export-tokens/${encodeURIComponent(id)}`,
    method: 'DELETE',
    schema: z.unknown(),
    // The server takes no change from a page that cannot say this: a form of another site cannot.
    headers: { 'Content-Type': 'application/json' },
  });
  return answer.ok;
}

async function outcomeOf<Body>(call: ApiRequest<Body>): Promise<Outcome<Body>> {
  const answer = await adminRequest(call);
  return answer.ok ? { kind: 'done', value: answer.value.body } : failureOf(answer.rejection);
}

function failureOf(failure: ApiFailure): Outcome<never> {
  if (isSignedOut(failure)) return { kind: 'signed-out' };
  if (needsPassword(failure)) return { kind: 'password-needed' };
  const field = failure.kind === 'refused' ? Object.values(failure.fields)[0] : undefined;
  return { kind: 'failed', message: field ?? messageOf(failure, '') };
}
