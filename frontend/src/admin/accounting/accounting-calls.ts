import { type Books, books } from '@kilim/bff/contract/books';
import { certificate, checklist } from '@kilim/bff/contract/certificate';
import { contents, type ExportFormat, exportTokens, newExportToken } from '@kilim/bff/contract/exports';
import type { ReopenReason } from '@kilim/domain/accounting/closings';
import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../shared/toast/toast-store.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminDelete } from '../api/admin-request.ts';
import { type Failed, type Outcome, outcomeOf } from '../api/outcome.ts';
import { queryText } from '../api/query-text.ts';
import type { DayRange } from './day-range.ts';
import { tokenTexts } from './texts.ts';

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

export function closePeriod(through: string): Promise<Outcome<Books>> {
  return outcomeOf({ path: '/api/admin/books/close', schema: books, body: { through } });
}

export function reopenPeriod(closing: number, reason: ReopenReason): Promise<Outcome<Books>> {
  return outcomeOf({ path: '/api/admin/books/reopen', schema: books, body: { closing, reason } });
}

export function checklistQuery(through: string) {
  return adminQuery(['admin', 'accounting', 'checklist', through], {
    path: `/api/admin/books/checklist${queryText({ through })}`,
    schema: checklist,
  });
}

export function certificateAddress(closing: string): string {
  return `/api/admin/books/closings/${encodeURIComponent(closing)}/certificate`;
}

export function certificateQuery(closing: string) {
  return adminQuery(['admin', 'accounting', 'certificate', closing], {
    path: certificateAddress(closing),
    schema: certificate,
  });
}

export function nameAccounts({ version, accounts, taxRate }: Pick<Books, 'version' | 'accounts' | 'taxRate'>) {
  return outcomeOf({ path: '/api/admin/books/accounts', schema: books, body: { version, accounts, taxRate } });
}

export type NewToken = {
  readonly name: string;
  readonly formats: readonly ExportFormat[];
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly validDays: number;
};

export function createToken(wanted: NewToken) {
  return outcomeOf({ path: '/api/admin/export-tokens', schema: newExportToken, body: wanted });
}

/** Revokes a token and reloads the lists of tokens. */
export function useRevoke() {
  const queryClient = useQueryClient();
  return async (id: string) => {
    const { ok } = await adminDelete(`/api/admin/export-tokens/${encodeURIComponent(id)}`);
    if (ok) await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    else showToast({ title: tokenTexts.revokeFailed, variant: 'destructive' });
  };
}

/** Shows a failed call with the message of the server. */
export function toastOf(title: string) {
  return ({ message }: Failed) => showToast({ title, description: message, variant: 'destructive' });
}
