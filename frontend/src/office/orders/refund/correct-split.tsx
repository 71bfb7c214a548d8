import type { OrderDetail } from '@kilim/bff/contract/orders';
import type { Refund } from '@kilim/bff/contract/refunds';
import type { SplitCorrectionRequest } from '@kilim/bff/contract/reimbursements';
import { decimalDollars, formatDollars } from '@kilim/domain/money';
import { type CorrectionReason, correctionReasons } from '@kilim/domain/order/events';
import { useQueryClient } from '@tanstack/react-query';
import { Alert } from 'antd';
import { type FormEvent, useState } from 'react';
import { call } from '../../../shared/call.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { outcomeOf } from '../../shared/api/outcome.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';
import { useMay } from '../../shared/session/current-session.tsx';
import { usePasswordGate } from '../../shared/session/password-gate.tsx';
import cards from '../../shared/ui/card.module.css';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { DialogButtons, OpenButton } from '../../shared/ui/dialog-buttons.tsx';
import { SelectField } from '../../shared/ui/field.tsx';
import {
  chosenOnWire,
  edited,
  emptyForm,
  type FormEdit,
  hasChosen,
  type Refundable,
  type RefundForm,
} from './refund-form.ts';
import { RefundLines } from './refund-lines.tsx';
import { RefundSplit } from './refund-split.tsx';
import { refundableWithout } from './refundable.ts';
import { correctionTexts as texts } from './texts.ts';

type CorrectSplitProps = { readonly detail: OrderDetail; readonly refund: Refund };

export function CorrectSplit({ detail, refund }: CorrectSplitProps) {
  const left = refundableWithout(detail, refund.refundId);
  if (!useMay('bookDifferences') || left === undefined) return null;
  return (
    <OpenButton text={texts.button}>
      {(close) => <CorrectionDialog detail={detail} refund={refund} left={left} onClose={close} />}
    </OpenButton>
  );
}

type CorrectionDialogProps = CorrectSplitProps & { readonly left: Refundable; readonly onClose: () => void };

function CorrectionDialog({ detail, refund: { refundId, amount }, left, onClose }: CorrectionDialogProps) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(texts.password);
  const amountText = decimalDollars(amount);
  const [form, setForm] = useState<RefundForm>({ ...emptyForm, refundType: 'partial', amountText });
  const [reason, setReason] = useState<CorrectionReason>(correctionReasons[0]);
  const leave = () => {
    if (!hasChosen(form) || window.confirm(texts.discard)) onClose();
  };
  const [refusal, setRefusal] = useState<string>();
  const edit = (change: FormEdit) => setForm({ ...edited(form, change, left), amountText });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const body: SplitCorrectionRequest = { refundId, reason, ...chosenOnWire(form, left, amount) };
    attempt({
      call: () =>
        outcomeOf(call('POST /api/admin/orders/:id/split-corrections', { params: { id: detail.order._id }, body })),
      onDone: () => {
        onClose();
        void queryClient.invalidateQueries({ queryKey: moneyKey });
        showToast({ title: texts.done });
      },
      onFailed: ({ message }) => setRefusal(message || texts.failed),
    });
  };
  return (
    <>
      <Dialog title={texts.title} onClose={busy ? undefined : leave}>
        <form className={cards.stack} onSubmit={submit} noValidate>
          <p>{texts.explanation(formatDollars(amount))}</p>
          {refusal !== undefined && <Alert type="error" role="alert" showIcon title={refusal} />}
          <fieldset disabled={busy} className={cards.stack}>
            <RefundLines
              items={detail.items}
              form={form}
              left={left}
              title={texts.lines}
              hint={texts.linesHint}
              onEdit={edit}
            />
            <SelectField
              label={texts.reason}
              value={reason}
              options={correctionReasons.map((each) => [each, each] as const)}
              onChoose={setReason}
            />
          </fieldset>
          <RefundSplit context={{ form, left }} />
          <DialogButtons busy={busy} onCancel={leave} disabled={!hasChosen(form)}>
            {texts.save}
          </DialogButtons>
        </form>
      </Dialog>
      {prompt}
    </>
  );
}
