import { type ResolutionReason, resolutionReasons } from '@kilim/domain/accounting/resolutions';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import styles from './books.module.css';
import { explainDifference, glanceQuery, refundOrphan } from './books-calls.ts';
import { resolveTexts } from './texts.ts';

/** How a person resolves one difference. */
export type Resolving = {
  readonly how: 'explain' | 'refund';
  readonly code: string;
  readonly squareId: string;
  readonly message: string;
};

type ResolveDialogProps = { readonly resolving: Resolving; readonly onClose: () => void };

/** Asks for the reason, and for a recent proof when the server wants one. */
export function ResolveDialog({ resolving, onClose }: ResolveDialogProps) {
  const { how, code, squareId, message } = resolving;
  const texts = resolveTexts[how];
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate<unknown>(resolveTexts.password);
  const [reason, setReason] = useState<ResolutionReason>('SettledAtSquare');
  const resolve = () =>
    attempt({
      call: () =>
        how === 'explain' ? explainDifference({ code, squareId, reason }) : refundOrphan({ squareId, reason }),
      onDone: () => {
        onClose();
        void queryClient.invalidateQueries({ queryKey: glanceQuery.queryKey });
        showToast({ title: texts.done });
      },
      onFailed: (failed) => showToast({ title: texts.failed, description: failed.message, variant: 'destructive' }),
    });
  return (
    <>
      <Dialog title={texts.title} onClose={busy ? undefined : onClose}>
        <div className={cards.stack}>
          <p>{message}</p>
          <p>{texts.consequence}</p>
          <Field label={resolveTexts.reason}>
            {(control) => (
              <select
                {...control}
                className={styles.select}
                value={reason}
                onChange={({ target }) => setReason(resolutionReasons.find((each) => each === target.value) ?? reason)}
              >
                {resolutionReasons.map((each) => (
                  <option key={each} value={each}>
                    {resolveTexts.reasons[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <div className={cards.buttons}>
            <Button disabled={busy} onClick={onClose}>
              {resolveTexts.cancel}
            </Button>
            <Button type="primary" danger={how === 'refund'} loading={busy} onClick={resolve}>
              {texts.button}
            </Button>
          </div>
        </div>
      </Dialog>
      {prompt}
    </>
  );
}
