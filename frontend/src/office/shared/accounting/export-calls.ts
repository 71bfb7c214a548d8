import { type ExportFormat, exportTokens } from '@kilim/bff/contract/exports';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../../shared/call.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminRequest } from '../api/admin-request.ts';
import type { DayRange } from './day-range.ts';
import { tokenTexts } from './texts.ts';

/** The browser downloads a file itself, so that it never has to fit the memory of this page. */
export function downloadAddress(format: ExportFormat, range: DayRange): string {
  return addressOf('GET /api/admin/ledger/export', { query: { format, ...range } });
}

export const tokensQuery = adminQuery(
  ['admin', 'accounting', 'tokens'],
  call('GET /api/admin/export-tokens', { answer: exportTokens }),
);

export function useRevoke() {
  const queryClient = useQueryClient();
  return async (id: string) => {
    const { ok } = await adminRequest(call('DELETE /api/admin/export-tokens/:id', { params: { id } }));
    if (ok) await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    else showToast({ title: tokenTexts.revokeFailed, variant: 'destructive' });
  };
}
