import type { OrderMail } from '@kilim/bff/contract/mails';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../shared/call.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { outcomeOf } from '../api/outcome.ts';
import { moneyKey } from '../api/query-keys.ts';
import { mailTexts } from './texts.ts';

type MailName = Pick<OrderMail, 'kind' | 'about'>;

export function useMailAction() {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const run = async (action: 'send' | 'drop', { kind, about }: MailName) => {
    setBusy(true);
    const outcome = await outcomeOf(call(`POST /api/admin/mails/${action}`, { body: { kind, about } }));
    setBusy(false);
    if (outcome.kind === 'failed') {
      showToast({ title: mailTexts.failed, description: outcome.message, variant: 'destructive' });
    }
    if (outcome.kind === 'done') showToast(action === 'send' ? mailTexts.sent : mailTexts.dropped);
    void queryClient.invalidateQueries({ queryKey: moneyKey });
  };
  return { busy, run };
}
