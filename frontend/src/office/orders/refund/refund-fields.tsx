import type { OrderDetail } from '@kilim/bff/contract/orders';
import type { RefundAllowance } from '@kilim/bff/contract/refund-limits';
import { formatDollars, sumCents } from '@kilim/domain/money';
import { cardBrandName } from '@kilim/domain/order/card-brand';
import { refundReasons } from '@kilim/domain/order/refund-reasons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Input, Radio } from 'antd';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import cards from '../../shared/ui/card.module.css';
import { DialogButtons } from '../../shared/ui/dialog-buttons.tsx';
import { Field, TextAreaField, TextField } from '../../shared/ui/field.tsx';
import { intakeQuery } from '../intake/intake-calls.ts';
import { limitText, useRefundAllowance } from './refund-allowance.ts';
import styles from './refund-dialog.module.css';
import { amountOf, excessText, type FormEdit } from './refund-form.ts';
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

export function RefundFields({ context, busy, onEdit, onRefund, onCancel, ...given }: RefundFieldsProps) {
  const { form, left, problem, refusal } = context;
  const detail = useAsPressed(given.detail, busy);
  const { refundBlock, payment } = detail.order;
  const allowance = useAsPressed(useRefundAllowance(true), busy);
  const allowed = allowance?.allowed ?? left.remaining;
  const amount = shownAmount(context);
  const box = useRef<HTMLFormElement>(null);
  // The button stays in sight, and the field may not.
  useEffect(() => {
    if (problem !== undefined) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onRefund();
  };
  return (
    <form ref={box} className={cards.stack} onSubmit={submit} noValidate>
      {refusal !== undefined ? (
        <Refusal message={refusal} />
      ) : (
        refundBlock !== null && (
          <Alert type="warning" showIcon title={refundTexts.notAllowed.title} description={refundBlock.message} />
        )
      )}
      <fieldset disabled={busy} className={cards.stack}>
        <HowMuch detail={detail} context={context} allowance={allowance} onEdit={onEdit} />
        <Why value={form.reason} error={problem?.fields.reason} onEdit={onEdit} />
        <TextAreaField
          label={refundTexts.notes}
          hint={refundTexts.notesHint}
          rows={2}
          maxLength={1000}
          value={form.notes}
          onText={(value) => onEdit({ field: 'notes', value })}
        />
      </fieldset>
      <RefundSplit context={context} />
      <DialogButtons
        className={styles.actions}
        busy={busy}
        onCancel={onCancel}
        danger
        // The alert, or the line below the amount, says why no refund is possible.
        disabled={refundBlock !== null || excessText(form, left) !== undefined}
      >
        {amount !== undefined && amount <= allowed
          ? refundTexts.refund(
              formatDollars(amount),
              refundTexts.card(cardBrandName(payment?.cardBrand ?? ''), payment?.cardLastFour ?? ''),
            )
          : refundTexts.refundNothing}
      </DialogButtons>
      <p role="status" className={styles.busy}>
        {busy ? refundTexts.submitting : ''}
      </p>
    </form>
  );
}

/** What is being sent changes the order, too. */
function useAsPressed<Value>(value: Value, busy: boolean): Value {
  const [kept, setKept] = useState(value);
  if (!busy && kept !== value) setKept(value);
  return busy ? kept : value;
}

/** In sight, however far down the form was read. */
function Refusal({ message }: { readonly message: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In some browsers it returns a promise, and an effect must not.
    void box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={box}>
      <Alert type="error" role="alert" showIcon title={refundTexts.failed} description={message} />
    </div>
  );
}

type HowMuchProps = Pick<RefundFieldsProps, 'detail' | 'context' | 'onEdit'> & {
  readonly allowance: RefundAllowance | undefined;
};

function HowMuch({ detail, context, allowance, onEdit }: HowMuchProps) {
  const { form, left, problem } = context;
  const isFull = form.refundType === 'full';
  const allowed = allowance?.allowed ?? left.remaining;
  const aboveAllowance = (amountOf(form, left) ?? 0) > allowed ? refundTexts.aboveAllowance : undefined;
  const error = excessText(form, left) ?? aboveAllowance ?? problem?.fields.amount;
  const limitId = useId();
  return (
    <section className={cards.stack} aria-label={refundTexts.howMuch}>
      <h3>{refundTexts.howMuch}</h3>
      <p>{refundTexts.remaining(formatDollars(left.remaining))}</p>
      <Radio.Group
        aria-label={refundTexts.type}
        className={styles.chips ?? ''}
        value={form.refundType}
        onChange={({ target }) => onEdit({ field: 'refundType', value: target.value === 'full' ? 'full' : 'partial' })}
      >
        {/* The line below the amount says why. */}
        <Radio className={styles.chip ?? ''} value="full" disabled={allowed < left.remaining}>
          {refundTexts.full}
        </Radio>
        <Radio className={styles.chip ?? ''} value="partial">
          {refundTexts.partial}
        </Radio>
      </Radio.Group>
      <Field label={refundTexts.amount} error={error}>
        {(control) => (
          <>
            <Input
              {...control}
              aria-describedby={control['aria-describedby'] ?? limitId}
              className={styles.amount ?? ''}
              prefix="$"
              inputMode="decimal"
              autoComplete="off"
              readOnly={isFull}
              value={isFull ? formatDollars(left.remaining).slice(1) : form.amountText}
              onChange={({ target }) => onEdit({ field: 'amountText', value: target.value })}
            />
            {error === undefined && (
              <p className={cards.soft} id={limitId}>
                {limitText(left.remaining, allowance)}
              </p>
            )}
          </>
        )}
      </Field>
      {isFull ? (
        <Everything order={detail.order} />
      ) : (
        <RefundLines items={detail.items} form={form} left={left} onEdit={onEdit} />
      )}
    </section>
  );
}

/** What the customer paid later for larger rugs has orders of its own, with refunds of their own. */
function Everything({ order: { _id, supplementOf } }: Pick<OrderDetail, 'order'>) {
  const { data } = useQuery({ ...intakeQuery(_id), enabled: supplementOf === null });
  const others = sumCents(data?.supplements.map(({ refundable }) => refundable) ?? []);
  return <p>{others === 0 ? refundTexts.everything : refundTexts.exceptDifferences(formatDollars(others))}</p>;
}

type WhyProps = {
  readonly error: string | undefined;
  readonly value: string;
  readonly onEdit: (edit: FormEdit) => void;
};

const suggestionsId = 'refund-reasons';

/** The usual reasons at one press, and the browser's own list of suggestions for all. */
function Why({ error, value, onEdit }: WhyProps) {
  const write = (reason: string) => onEdit({ field: 'reason', value: reason });
  return (
    <section className={cards.stack} aria-label={refundTexts.why}>
      <h3>{refundTexts.why}</h3>
      <Radio.Group
        aria-label={refundTexts.why}
        className={classNames(styles.chips, styles.reasons)}
        value={value}
        onChange={({ target }) => write(String(target.value))}
      >
        {refundTexts.usualReasons.map((reason) => (
          <Radio key={reason} className={styles.chip ?? ''} value={reason}>
            {reason}
          </Radio>
        ))}
      </Radio.Group>
      <TextField
        label={refundTexts.reason}
        hint={refundTexts.reasonHint}
        error={error}
        list={suggestionsId}
        autoComplete="off"
        maxLength={500}
        value={value}
        onText={write}
      />
      <datalist id={suggestionsId}>
        {refundReasons.map((reason) => (
          <option key={reason} value={reason} />
        ))}
      </datalist>
    </section>
  );
}
