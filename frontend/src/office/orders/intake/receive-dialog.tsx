import type { IntakeRequest } from '@kilim/bff/contract/intake-request';
import type { OrderDetail } from '@kilim/bff/contract/orders';
import { tierOffers } from '@kilim/domain/catalog';
import type { MeasuredSize } from '@kilim/domain/order/events';
import { formatSize } from '@kilim/domain/rug';
import { Alert } from 'antd';
import { type FormEvent, useState } from 'react';
import { orderNumberText } from '../../../shared/order-number.ts';
import cards from '../../shared/ui/card.module.css';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { DialogButtons } from '../../shared/ui/dialog-buttons.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { orderedSize, sizeText } from '../rugs-table.tsx';
import styles from './intake.module.css';
import { measuredSide } from './measured-side.ts';
import { intakeTexts as texts } from './texts.ts';

type Typed = { readonly width: string; readonly length: string };

export type ReceiveDialogProps = {
  readonly detail: OrderDetail;
  /** Of the last measurement. */
  readonly measured: readonly MeasuredSize[] | undefined;
  readonly measuring: string;
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly onSave: (request: Extract<IntakeRequest, { step: 'receive' }>) => void;
  readonly onClose: () => void;
};

/** For one thumb: an empty box is as ordered or as measured before, so only what differs is typed. */
export function ReceiveDialog({ detail, measured, measuring, busy, problem, onSave, onClose }: ReceiveDialogProps) {
  const known = detail.items.map((item, index) => measured?.[index] ?? orderedSize(item));
  const [typed, setTyped] = useState<readonly Typed[]>(() => known.map(() => ({ width: '', length: '' })));
  const [isChecked, setIsChecked] = useState(false);
  const sizes = typed.map((each, index) => readSize(each, known[index]));
  const edit = (index: number, change: Partial<Typed>) =>
    setTyped(typed.map((each, place) => (place === index ? { ...each, ...change } : each)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    const read = sizes.filter((size) => size !== undefined);
    if (!busy && read.length === sizes.length) onSave({ step: 'receive', sizes: [...read] });
  };
  return (
    <Dialog title={texts.receiveTitle(orderNumberText(detail.order._id))} onClose={busy ? undefined : onClose}>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
        <p className={cards.note}>
          {measuring} {texts.sizeHint}
        </p>
        {detail.items.map((item, index) => {
          const each = typed[index] ?? { width: '', length: '' };
          const size = sizes[index];
          const number = index + 1;
          const sideOf = (name: keyof Typed) => ({
            label: texts[name](number),
            value: each[name],
            placeholder: placeholderOf(known[index]?.[name] ?? 0),
            inputMode: 'decimal' as const,
            autoComplete: 'off',
            className: styles.side,
            error: isChecked && isUnreadable(each[name]) ? texts.unreadable : undefined,
            onText: (text: string) => edit(index, { [name]: text }),
          });
          return (
            <fieldset key={number} className={styles.rug} disabled={busy}>
              <legend>{texts.rugOf(number, tierOffers[item.serviceTier].name, sizeText(item))}</legend>
              <div className={styles.sides}>
                <TextField {...sideOf('width')} />
                <TextField {...sideOf('length')} />
              </div>
              <p className={cards.soft} role="status">
                {size !== undefined && texts.reads(formatSize(size))}
              </p>
            </fieldset>
          );
        })}
        <DialogButtons size="large" busy={busy} onCancel={onClose}>
          {texts.save}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function readSize({ width, length }: Typed, known: MeasuredSize | undefined): MeasuredSize | undefined {
  const size = {
    width: width.trim() === '' ? known?.width : measuredSide(width),
    length: length.trim() === '' ? known?.length : measuredSide(length),
  };
  return size.width === undefined || size.length === undefined ? undefined : { width: size.width, length: size.length };
}

function isUnreadable(text: string): boolean {
  return text.trim() !== '' && measuredSide(text) === undefined;
}

/** `7.10`, as it is typed. */
function placeholderOf(inches: number): string {
  const rest = inches % 12;
  return `${(inches - rest) / 12}${rest === 0 ? '' : `.${rest}`}`;
}
