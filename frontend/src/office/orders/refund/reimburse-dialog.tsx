import type { AdminOrder, OrderDetail } from '@kilim/bff/contract/orders';
import { refund } from '@kilim/bff/contract/refunds';
import type { ReimbursementRequest } from '@kilim/bff/contract/reimbursements';
import { type Cents, decimalDollars, formatDollars, noCents } from '@kilim/domain/money';
import { type ReimbursementMethod, reimbursementMethods } from '@kilim/domain/order/events';
import { type RefundReason, refundReasons } from '@kilim/domain/order/refund-reasons';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Radio } from 'antd';
import { type FormEvent, useMemo, useState } from 'react';
import { call } from '../../../shared/call.ts';
import { usePageData } from '../../../shared/page-data.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { outcomeOf } from '../../shared/api/outcome.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';
import { methodTexts } from '../../shared/refunds/texts.ts';
import { usePasswordGate } from '../../shared/session/password-gate.tsx';
import cards from '../../shared/ui/card.module.css';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { DialogButtons } from '../../shared/ui/dialog-buttons.tsx';
import { SelectField, TextField } from '../../shared/ui/field.tsx';
import { isoDay } from '../../shared/ui/format.ts';
import { useAskBeforeLeaving } from '../../shared/ui/use-ask-before-leaving.ts';
import styles from './refund-dialog.module.css';
import {
  amountOf,
  chosenOnWire,
  edited,
  emptyForm,
  hasChosen,
  isDollars,
  type Refundable,
  type RefundForm,
} from './refund-form.ts';
import { RefundLines } from './refund-lines.tsx';
import { RefundSplit } from './refund-split.tsx';
import { refundableOf } from './refundable.ts';
import { refundTexts, reimbursementTexts as texts } from './texts.ts';

type ReimburseDialogProps = {
  readonly detail: OrderDetail;
  /** As another page has asked already. */
  readonly method?: ReimbursementMethod | undefined;
  readonly onClose: () => void;
};

type Form = {
  readonly lines: RefundForm;
  readonly method: ReimbursementMethod;
  readonly paidOn: string;
  readonly reference: string;
  readonly reason: RefundReason | '';
};
type Problems = Readonly<Record<string, string>>;

/** For money given back outside Square. One dialog is one reimbursement, however often it is sent. */
export function ReimburseDialog({ detail, method = 'check', onClose }: ReimburseDialogProps) {
  const { order } = detail;
  const current = useMemo(() => refundableOf(detail), [detail]);
  // Once sent, what is left may lack this reimbursement already, also when its answer was lost.
  const [pressed, setPressed] = useState<Refundable>();
  const left = pressed ?? current;
  const { timeZone } = usePageData().config.business;
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(texts.password);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [initial] = useState(() => ({ ...formFor(order, isoDay(new Date(), timeZone)), method }));
  const [form, setForm] = useState<Form>(initial);
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState<string>();
  const amount = possibleAmount(form, left);
  const edit = (change: Partial<Form>) => {
    setPressed(undefined);
    setForm({ ...form, ...change });
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !((fieldsOf[field] ?? '') in change))));
  };
  const isTouched = form !== initial;
  const leave = () => {
    if (!isTouched || window.confirm(texts.discard)) onClose();
  };
  useAskBeforeLeaving(isTouched, texts.discard);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = problemsOf(form, left);
    setProblems(found);
    setRefusal(undefined);
    if (Object.keys(found).length > 0) return;
    const body = requestOf(form, left, idempotencyKey);
    setPressed(left);
    attempt({
      call: () =>
        outcomeOf(
          call('POST /api/admin/orders/:id/reimbursements', { params: { id: order._id }, body, answer: refund }),
        ),
      onDone: (made) => {
        showToast(texts.done(formatDollars(made.amount)));
        void queryClient.invalidateQueries({ queryKey: moneyKey });
        onClose();
      },
      onFailed: ({ fields: found, message }) => {
        setProblems(found);
        setRefusal(Object.keys(found).length === 0 ? message || texts.failed : undefined);
      },
    });
  };
  return (
    <>
      <Dialog title={texts.title} place="side" onClose={busy ? undefined : leave}>
        <form className={cards.stack} onSubmit={submit} noValidate>
          <p>{texts.explanation}</p>
          {refusal !== undefined && <Alert type="error" role="alert" showIcon title={refusal} />}
          <fieldset disabled={busy} className={cards.stack}>
            <RefundLines
              items={detail.items}
              form={form.lines}
              left={left}
              title={texts.lines}
              hint={texts.linesHint}
              onEdit={(change) => edit({ lines: edited(form.lines, change, left) })}
            />
            <ReimburseFields form={form} problems={problems} onEdit={edit} today={initial.paidOn} />
          </fieldset>
          {hasChosen(form.lines) && <RefundSplit context={{ form: form.lines, left }} />}
          <DialogButtons className={styles.actions} busy={busy} onCancel={leave}>
            {busy ? texts.recording : amount === undefined ? texts.recordNothing : texts.record(formatDollars(amount))}
          </DialogButtons>
        </form>
      </Dialog>
      {prompt}
    </>
  );
}

type ReimburseFieldsProps = {
  readonly form: Form;
  readonly problems: Problems;
  readonly today: string;
  readonly onEdit: (change: Partial<Form>) => void;
};

function ReimburseFields({ form, problems, today, onEdit }: ReimburseFieldsProps) {
  return (
    <>
      <TextField
        label={texts.amount}
        error={problems['amount']}
        className={styles.amount ?? ''}
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        value={form.lines.amountText}
        onText={(amountText) => onEdit({ lines: { ...form.lines, amountText } })}
      />
      <Radio.Group
        aria-label={texts.method}
        className={styles.chips ?? ''}
        value={form.method}
        onChange={({ target }) => onEdit({ method: target.value as ReimbursementMethod })}
      >
        {reimbursementMethods.map((method) => (
          <Radio key={method} className={styles.chip ?? ''} value={method}>
            {methodTexts[method]}
          </Radio>
        ))}
      </Radio.Group>
      <TextField
        label={texts.paidOn}
        error={problems['paidOn']}
        type="date"
        max={today}
        value={form.paidOn}
        onText={(paidOn) => onEdit({ paidOn })}
      />
      <TextField
        label={form.method === 'cash' ? texts.receipt : texts.reference}
        hint={form.method === 'cash' ? texts.receiptHint : texts.referenceHint}
        error={problems['reference']}
        autoComplete="off"
        maxLength={60}
        value={form.reference}
        onText={(reference) => onEdit({ reference })}
      />
      <SelectField<RefundReason | ''>
        label={texts.reason}
        error={problems['reason']}
        value={form.reason}
        options={[['', texts.chooseReason], ...refundReasons.map((each) => [each, each] as const)]}
        onChoose={(reason) => onEdit({ reason })}
      />
    </>
  );
}

/** By the server's name of a field. */
const fieldsOf: Readonly<Record<string, keyof Form>> = {
  amount: 'lines',
  paidOn: 'paidOn',
  reference: 'reference',
  reason: 'reason',
};

/** The amount of a failed refund is the likeliest. */
function formFor({ owedRefund, remainingRefundable }: AdminOrder, today: string): Omit<Form, 'method'> {
  const likely = owedRefund > 0 && owedRefund < remainingRefundable ? owedRefund : remainingRefundable;
  const lines = { ...emptyForm, refundType: 'partial', amountText: decimalDollars(likely) } as const;
  return { lines, paidOn: today, reference: '', reason: '' };
}

function possibleAmount({ lines }: Form, left: Refundable): Cents | undefined {
  const amount = amountOf(lines, left);
  return amount === undefined || amount < 1 || amount > left.remaining ? undefined : amount;
}

function problemsOf(form: Form, left: Refundable): Problems {
  return {
    ...(possibleAmount(form, left) === undefined && { amount: wrongAmountText(form.lines, left) }),
    ...(form.paidOn === '' && { paidOn: texts.missingDay }),
    ...(form.method === 'cash' && form.reference.trim() === '' && { reference: texts.missingReceipt }),
    ...(form.reason === '' && { reason: texts.missingReason }),
  };
}

function wrongAmountText({ amountText }: RefundForm, { remaining }: Refundable): string {
  if (amountText.trim() === '') return texts.missingAmount;
  return isDollars(amountText) ? texts.wrongAmount(formatDollars(remaining)) : refundTexts.invalidAmount.notDollars;
}

function requestOf(
  { lines, method, paidOn, reference, reason }: Form,
  left: Refundable,
  idempotencyKey: string,
): ReimbursementRequest {
  const amount = amountOf(lines, left) ?? noCents;
  return {
    amount: decimalDollars(amount),
    ...chosenOnWire(lines, left, amount),
    ...{ method, paidOn, idempotencyKey },
    reason: reason === '' ? 'Other' : reason,
    ...(reference.trim() !== '' && { reference: reference.trim() }),
  };
}
