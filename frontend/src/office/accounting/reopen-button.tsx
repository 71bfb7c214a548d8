import type { Books } from '@kilim/bff/contract/books';
import { type ReopenReason, reopenReasons } from '@kilim/domain/accounting/closings';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { DialogButtons } from '../shared/ui/dialog-buttons.tsx';
import { SelectField } from '../shared/ui/field.tsx';
import styles from './accounting.module.css';
import { booksQuery, contentsKey, reopenPeriod, toastOf } from './accounting-calls.ts';
import { reopeningTexts } from './closing-texts.ts';
import { passwordTitle } from './texts.ts';

export function ReopenButton({ closing: { version, through } }: { readonly closing: Books['closings'][number] }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(passwordTitle);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState<ReopenReason>('late-facts');
  const day = fullDayText(through);
  const reopen = () =>
    attempt({
      call: () => reopenPeriod(version, reason),
      onDone: (answer) => {
        setAsking(false);
        queryClient.setQueryData(booksQuery.queryKey, answer);
        void queryClient.invalidateQueries({ queryKey: contentsKey });
        showToast({ title: reopeningTexts.done(day) });
      },
      onFailed: toastOf(reopeningTexts.failed),
    });
  return (
    <>
      <Button aria-label={reopeningTexts.open(day)} onClick={() => setAsking(true)}>
        {reopeningTexts.button}
      </Button>
      {asking && (
        <Dialog title={reopeningTexts.confirm(day)} onClose={busy ? undefined : () => setAsking(false)}>
          <p>{reopeningTexts.consequence}</p>
          <div className={styles.actions}>
            <SelectField
              label={reopeningTexts.reason}
              value={reason}
              options={reopenReasons.map((known) => [known, reopeningTexts.reasons[known]] as const)}
              onChoose={setReason}
            />
          </div>
          <DialogButtons
            className={styles.actions}
            busy={busy}
            onCancel={() => setAsking(false)}
            danger
            onClick={reopen}
          >
            {reopeningTexts.button}
          </DialogButtons>
        </Dialog>
      )}
      {prompt}
    </>
  );
}
