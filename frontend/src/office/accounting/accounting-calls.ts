import { type Books, books } from '@kilim/bff/contract/books';
import { certificate, checklist } from '@kilim/bff/contract/certificate';
import { contents, type ExportFormat, exportTokens, newExportToken } from '@kilim/bff/contract/exports';
import type { ReopenReason } from '@kilim/domain/accounting/closings';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../shared/call.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminRequest } from '../api/admin-request.ts';
import { type Failed, type Outcome, outcomeOf } from '../api/outcome.ts';
import type { DayRange } from './day-range.ts';
import { tokenTexts } from './texts.ts';

/** Counting years of orders takes a while. */
const countingTimeoutMilliseconds = 120_000;

export const contentsKey = ['admin', 'accounting', 'contents'] as const;

export function contentsQuery(range: DayRange) {
  return adminQuery([...contentsKey, range], {
    ...call('GET /api/admin/ledger/contents', { query: range, answer: contents }),
    timeoutMilliseconds: countingTimeoutMilliseconds,
  });
}

/** The browser downloads a file itself, so that it never has to fit the memory of this page. */
export function downloadAddress(format: ExportFormat, range: DayRange): string {
  return addressOf('GET /api/admin/ledger/export', { query: { format, ...range } });
}

export const booksQuery = adminQuery(['admin', 'accounting', 'books'], call('GET /api/admin/books', { answer: books }));

export const tokensQuery = adminQuery(
  ['admin', 'accounting', 'tokens'],
  call('GET /api/admin/export-tokens', { answer: exportTokens }),
);

export function closePeriod(through: string): Promise<Outcome<Books>> {
  return outcomeOf(call('POST /api/admin/books/close', { body: { through }, answer: books }));
}

export function reopenPeriod(closing: number, reason: ReopenReason): Promise<Outcome<Books>> {
  return outcomeOf(call('POST /api/admin/books/reopen', { body: { closing, reason }, answer: books }));
}

export function checklistQuery(through: string) {
  return adminQuery(
    ['admin', 'accounting', 'checklist', through],
    call('GET /api/admin/books/checklist', { query: { through }, answer: checklist }),
  );
}

export function certificateAddress(closing: string): string {
  return addressOf('GET /api/admin/books/closings/:version/certificate', { params: { version: closing } });
}

export function certificateQuery(closing: string) {
  return adminQuery(
    ['admin', 'accounting', 'certificate', closing],
    call('GET /api/admin/books/closings/:version/certificate', { params: { version: closing }, answer: certificate }),
  );
}

export function nameAccounts({ version, accounts, taxRate }: Pick<Books, 'version' | 'accounts' | 'taxRate'>) {
  return outcomeOf(call('POST /api/admin/books/accounts', { body: { version, accounts, taxRate }, answer: books }));
}

export type NewToken = {
  readonly name: string;
  readonly formats: readonly ExportFormat[];
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly validDays: number;
};

export function createToken(wanted: NewToken) {
  return outcomeOf(
    call('POST /api/admin/export-tokens', {
      body: { ...wanted, formats: [...wanted.formats] },
      answer: newExportToken,
    }),
  );
}

export function useRevoke() {
  const queryClient = useQueryClient();
  return async (id: string) => {
    const { ok } = await adminRequest(call('DELETE /api/admin/export-tokens/:id', { params: { id } }));
    if (ok) await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    else showToast({ title: tokenTexts.revokeFailed, variant: 'destructive' });
  };
}

export function toastOf(title: string) {
  return ({ message }: Failed) => showToast({ title, description: message, variant: 'destructive' });
}
