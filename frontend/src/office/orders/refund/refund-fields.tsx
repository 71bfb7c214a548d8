import type { OrderDetail } from '@kilim/bff/contract/orders';
import { refundAllowance } from '@kilim/bff/contract/refund-limits';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { cardBrandName } from '@kilim/domain/order/card-brand';
import { refundReasons } from '@kilim/domain/order/refund-reasons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Input, Radio } from 'antd';
import type { FormEvent } from 'react';
import { call } from '../../../shared/call.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { adminQuery } from '../../shared/api/admin-query.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';
import cards from '../../shared/ui/card.module.css';
import { Field, TextField } from '../../shared/ui/field.tsx';
import styles from './refund-dialog.module.css';
import type { FormEdit } from './refund-form.ts';
import { RefundLines } from './refund-lines.tsx';
import { type RefundContext, shownAmount } from './refund-machine.ts';
import { RefundSplit } from './refund-split.tsx';
import { refundTexts } from './texts.ts';

type RefundFieldsProps = {
  readonly detail: OrderDetail;
  readonly context: RefundContext;
  readonly busy: boolean;
  readonly onEdit: (edit: FormEdit) => void;
  readonly onRefund: () => void;
  readonly onCancel: () => void;
};

export function RefundFields({ detail, context, busy, onEdit, onRefund, onCancel }: RefundFieldsProps) {
  const { form, left, problem, refusal } = context;
  const { refundBlock, payment } = detail.order;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onRefund();
  };
  const error = (field: 'amount' | 'reason') => problem?.fields[field];
  const amount = shownAmount(context);
  const allowed = useAllowed();
  const isOffered = amount !== undefined && (allowed === undefined || amount <= allowed);
  return (
    <form className={cards.stack} onSubmit={submit} noValidate>
      {refundBlock !== null && (
        <Alert type="warning" showIcon title={refundTexts.notAllowedTitle} description={refundBlock.message} />
      )}
      {refusal !== undefined && <Alert type="error" showIcon title={refundTexts.refusedTitle} description={refusal} />}
      <p className={styles.remaining}>{refundTexts.remaining(formatDollars(left.remaining))}</p>
      <RefundAllowance remaining={left.remaining} />
      <fieldset disabled={busy} className={cards.stack}>
        <RefundTypeChoice context={context} onEdit={onEdit} />
        {form.refundType === 'partial' && <RefundLines items={detail.items} form={form} left={left} onEdit={onEdit} />}
        <TextField
          label={refundTexts.amount}
          error={error('amount')}
          className={styles.amount ?? ''}
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          readOnly={form.refundType === 'full'}
          value={form.refundType === 'full' ? formatDollars(left.remaining).slice(1) : form.amountText}
          onText={(value) => onEdit({ field: 'amountText', value })}
        />
        <ReasonField error={error('reason')} value={form.reason} onEdit={onEdit} />
        <Field label={refundTexts.notes} hint={refundTexts.notesHint}>
          {(control) => (
            <Input.TextArea
              {...control}
              rows={2}
              maxLength={1000}
              value={form.notes}
              onChange={({ target }) => onEdit({ field: 'notes', value: target.value })}
            />
          )}
        </Field>
      </fieldset>
      <RefundSplit context={context} />
      {payment !== null && <p>{refundTexts.toCard(cardBrandName(payment.cardBrand), payment.cardLastFour)}</p>}
      <div className={classNames(cards.buttons, styles.actions)}>
        <Button onClick={onCancel} disabled={busy}>
          {refundTexts.cancel}
        </Button>
        {/* The alert above says why no refund is possible. */}
        <Button danger type="primary" htmlType="submit" loading={busy} disabled={isImpossible(refundBlock)}>
          {isOffered ? refundTexts.refund(formatDollars(amount)) : refundTexts.refundNothing}
        </Button>
      </div>
      <p role="status" className={styles.busy}>
        {busy ? refundTexts.submitting : ''}
      </p>
    </form>
  );
}

/** A fully refunded order is answered in the specification's words. */
function isImpossible(block: { readonly code: string } | null): boolean {
  return block !== null && block.code !== 'FullyRefunded';
}

type PartProps = { readonly context: RefundContext; readonly onEdit: (edit: FormEdit) => void };

function RefundTypeChoice({ context: { form, left }, onEdit }: PartProps) {
  return (
    <Radio.Group
      aria-label={refundTexts.type}
      value={form.refundType}
      onChange={({ target }) => onEdit({ field: 'refundType', value: target.value === 'full' ? 'full' : 'partial' })}
    >
      <div className={styles.choices}>
        <Radio value="full">{refundTexts.full}</Radio>
        <Radio value="partial">{refundTexts.partial}</Radio>
      </div>
      {form.refundType === 'full' && <p>{refundTexts.fullHint(formatDollars(left.remaining))}</p>}
    </Radio.Group>
  );
}

type ReasonFieldProps = {
  readonly error: string | undefined;
  readonly value: string;
  readonly onEdit: (edit: FormEdit) => void;
};

const suggestionsId = 'refund-reasons';

/** With the browser's own list of suggestions. */
function ReasonField({ error, value, onEdit }: ReasonFieldProps) {
  return (
    <>
      <TextField
        label={refundTexts.reason}
        hint={refundTexts.reasonHint}
        error={error}
        list={suggestionsId}
        autoComplete="off"
        maxLength={500}
        value={value}
        onText={(text) => onEdit({ field: 'reason', value: text })}
      />
      <datalist id={suggestionsId}>
        {refundReasons.map((reason) => (
          <option key={reason} value={reason} />
        ))}
      </datalist>
    </>
  );
}

// A refund changes it, so both are loaded together.
const allowanceQuery = adminQuery(
  [...moneyKey, 'refund-allowance'],
  call('GET /api/admin/refund-allowance', { answer: refundAllowance }),
);

/** Undefined until it is known. */
function useAllowed(): Cents | undefined {
  return useQuery(allowanceQuery).data?.allowed;
}

/** Only when it is less than the order's rest. */
function RefundAllowance({ remaining }: { readonly remaining: Cents }) {
  const { data } = useQuery(allowanceQuery);
  if (data === undefined || data.allowed >= remaining) return null;
  const { allowed, limits } = data;
  return (
    <p className={cards.soft}>
      {allowed < limits.perRefund
        ? refundTexts.allowedToday(formatDollars(allowed))
        : refundTexts.allowedAtOnce(formatDollars(allowed))}
    </p>
  );
}
