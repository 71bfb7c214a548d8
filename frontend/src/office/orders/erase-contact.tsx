import { contactErasure } from '@kilim/bff/contract/orders';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { call } from '../../shared/call.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { DialogButtons } from '../shared/ui/dialog-buttons.tsx';
import styles from './orders.module.css';
import { erasureTexts } from './texts.ts';

type EraseContactProps = {
  readonly orderId: string;
};

/** Asks for confirmation, because this cannot be undone. */
export function EraseContact({ orderId }: EraseContactProps) {
  const queries = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(erasureTexts.title);
  const [isAsked, setIsAsked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const close = () => {
    setIsAsked(false);
    setProblem(undefined);
  };
  const erase = () =>
    attempt({
      call: () =>
        outcomeOf(
          call('POST /api/admin/orders/:id/erase-contact', { params: { id: orderId }, answer: contactErasure }),
        ),
      onDone: () => {
        close();
        showToast(erasureTexts.done);
        void queries.invalidateQueries({ queryKey: moneyKey });
      },
      onFailed: ({ message }) => setProblem(message || erasureTexts.failed),
    });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>{erasureTexts.erase}</Button>
      {isAsked && (
        <Dialog title={erasureTexts.title} onClose={busy ? undefined : close}>
          <p>{erasureTexts.whatGoes}</p>
          <p>{erasureTexts.whatStays}</p>
          <p>{erasureTexts.mailStays}</p>
          {problem !== undefined && <Alert type="error" title={problem} role="alert" showIcon />}
          <DialogButtons className={styles.choices} busy={busy} onCancel={close} danger onClick={erase}>
            {busy ? erasureTexts.erasing : erasureTexts.confirm}
          </DialogButtons>
        </Dialog>
      )}
      {prompt}
    </>
  );
}
