import type { OrderItem } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { Checkbox } from 'antd';
import styles from './refund-dialog.module.css';
import type { FormEdit, Refundable, RefundForm } from './refund-form.ts';
import { RefundRug } from './refund-rug.tsx';
import { refundTexts } from './texts.ts';

type RefundLinesProps = {
  readonly items: readonly OrderItem[];
  readonly form: RefundForm;
  readonly left: Refundable;
  readonly title?: string;
  readonly hint?: string;
  readonly onEdit: (edit: FormEdit) => void;
};

/** A line without an amount is disabled. */
export function RefundLines({ items, form, left, onEdit, ...texts }: RefundLinesProps) {
  return (
    <fieldset className={styles.lines}>
      <legend className={styles.legend}>{texts.title ?? refundTexts.lines}</legend>
      <p className={styles.hint}>{texts.hint ?? refundTexts.linesHint}</p>
      {items.map((item, rugIndex) => (
        <RefundRug
          // biome-ignore lint/suspicious/noArrayIndexKey: a rug is identified by its place in the order.
          key={rugIndex}
          item={item}
          rugIndex={rugIndex}
          form={form}
          left={left}
          onEdit={onEdit}
        />
      ))}
      {left.charges.deliveryMinimum > 0 && (
        <Checkbox
          checked={form.deliveryMinimum}
          onChange={({ target }) => onEdit({ field: 'deliveryMinimum', chosen: target.checked })}
        >
          {refundTexts.deliveryMinimumLine(formatDollars(left.charges.deliveryMinimum))}
        </Checkbox>
      )}
    </fieldset>
  );
}
