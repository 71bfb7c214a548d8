import { type Books, books } from '@kilim/bff/contract/books';
import { contents, type ExportFormat, exportTokens, newExportToken } from '@kilim/bff/contract/exports';
import * as z from 'zod/mini';
import type { ApiFailure, ApiRequest } from '../../shared/api-client.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from '../api/admin-request.ts';
import { queryText } from '../api/query-text.ts';
import type { DayRange } from './day-range.ts';

/** Counting years of orders takes a while. */
const countingTimeoutMilliseconds = 120_000;

export const contentsKey = ['admin', 'accounting', 'contents'] as const;

export function contentsQuery(range: DayRange) {
  return adminQuery([...contentsKey, range], {
    path: `/api/admin/ledger/contents${queryText(range)}`,
    schema: contents,
    timeoutMilliseconds: countingTimeoutMilliseconds,
  });
}

/** The browser downloads a file itself, so that it never has to fit the memory of this page. */
export function downloadAddress(format: ExportFormat, range: DayRange): string {
  return `/api/admin/ledger/export${queryText({ format, ...range })}`;
}

export const booksQuery = adminQuery(['admin', 'accounting', 'books'], { path: '/api/admin/books', schema: books });

export const tokensQuery = adminQuery(['admin', 'accounting', 'tokens'], {
  path: '/api/admin/export-tokens',
  schema: exportTokens,
});

/** The outcome of a call that needs a recent password. */
export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'password-needed' }
  /** The sign-in covers the page, and typed text stays. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'failed'; readonly message: string };

export function closePeriod(through: string): Promise<Outcome<Books>> {
  return outcomeOf({ path: '/api/admin/books/close', schema: books, body: { through } });
}

export function nameAccounts({ version, accounts, taxRate }: Pick<Books, 'version' | 'accounts' | 'taxRate'>) {
  return outcomeOf({ path: '/api/admin/books/accounts', schema: books, body: { version, accounts, taxRate } });
}

export function createToken(name: string) {
  return outcomeOf({ path: '/api/admin/export-tokens', schema: newExportToken, body: { name } });
}

/** @returns whether the token is revoked */
export async function revokeToken(id: string): Promise<boolean> {
  const answer = await adminRequest({
    path: `/api/admin/export-tokens/${encodeURIComponent(id)}`,
    method: 'DELETE',
    schema: z.unknown(),
    // The server refuses a change without this header, which a form of another site cannot send.
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
