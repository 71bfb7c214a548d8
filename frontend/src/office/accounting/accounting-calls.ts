import { type Books, books } from '@kilim/bff/contract/books';
import { certificate, checklist } from '@kilim/bff/contract/certificate';
import { contents, newExportToken } from '@kilim/bff/contract/exports';
import type { ReopenReason } from '@kilim/domain/accounting/closings';
import { addressOf, call } from '../../shared/call.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import type { DayRange } from '../shared/accounting/day-range.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { type Failed, type Outcome, outcomeOf } from '../shared/api/outcome.ts';

/** Counting years of orders takes a while. */
const countingTimeoutMilliseconds = 120_000;

export const contentsKey = ['admin', 'accounting', 'contents'] as const;

export function contentsQuery(range: DayRange) {
  return adminQuery([...contentsKey, range], {
    ...call('GET /api/admin/ledger/contents', { query: range, answer: contents }),
    timeoutMilliseconds: countingTimeoutMilliseconds,
  });
}

export const booksQuery = adminQuery(['admin', 'accounting', 'books'], call('GET /api/admin/books', { answer: books }));

export function closePeriod(through: string): Promise<Outcome<Books>> {
  return outcomeOf(call('POST /api/admin/books/close', { body: { through }, answer: books }));
}

export function reopenPeriod(closing: number, reason: ReopenReason): Promise<Outcome<Books>> {
  return outcomeOf(call('POST /api/admin/books/reopen', { body: { closing, reason }, answer: books }));
}

export const checklistKey = ['admin', 'accounting', 'checklist'] as const;

export function checklistQuery(through: string) {
  return adminQuery(
    [...checklistKey, through],
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
  readonly validDays: number;
};

export function createToken(wanted: NewToken) {
  return outcomeOf(call('POST /api/admin/export-tokens', { body: wanted, answer: newExportToken }));
}

export function toastOf(title: string) {
  return ({ message }: Failed) => showToast({ title, description: message, variant: 'destructive' });
}
