import { contactErasure } from '@kilim/bff/contract/orders';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from '../api/admin-request.ts';
import { PasswordDialog } from '../session/password-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { moneyKey } from './order-queries.ts';
import styles from './orders.module.css';
import { erasureTexts } from './texts.ts';

type Step = 'closed' | 'asked' | 'password';

/** Erases the contact of a customer. It asks for confirmation, because this cannot be undone. */
export function EraseContact({ orderId }: { readonly orderId: string }) {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>('closed');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const close = () => {
    setStep('closed');
    setProblem(undefined);
  };
  const erase = async () => {
    setBusy(true);
    const path = `/api/admin/orders/${encodeURIComponent(orderId)}/erase-contact`;
    const answer = await adminRequest({ path, schema: contactErasure, body: {} });
    setBusy(false);
    if (answer.ok) {
      close();
      showToast(erasureTexts.done);
      await queries.invalidateQueries({ queryKey: moneyKey });
    } else if (needsPassword(answer.rejection)) {
      setStep('password');
    } else if (!isSignedOut(answer.rejection)) {
      setProblem(messageOf(answer.rejection, erasureTexts.failed));
    }
  };
  const goOn = () => {
    setStep('asked');
    void erase();
  };
  return (
    <>
      <Button danger onClick={() => setStep('asked')}>
        {erasureTexts.erase}
      </Button>
      {step === 'asked' && (
        <Dialog title={erasureTexts.title} onClose={busy ? undefined : close}>
          <p>{erasureTexts.whatGoes}</p>
          <p>{erasureTexts.whatStays}</p>
          {problem !== undefined && <Alert type="error" title={problem} role="alert" showIcon />}
          <div className={styles.choices}>
            <Button onClick={close} disabled={busy}>
              {erasureTexts.cancel}
            </Button>
            <Button danger type="primary" loading={busy} onClick={() => void erase()}>
              {busy ? erasureTexts.erasing : erasureTexts.confirm}
            </Button>
          </div>
        </Dialog>
      )}
      {step === 'password' && <PasswordDialog title={erasureTexts.title} onRight={goOn} onCancel={close} />}
    </>
  );
}
