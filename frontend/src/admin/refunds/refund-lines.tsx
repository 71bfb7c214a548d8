import { formatDollars } from '@kilim/domain/money';
import { rugTotal } from '@kilim/domain/order/refund-allocation';
import { Checkbox } from 'antd';
import styles from './refund-dialog.module.css';
import type { FormEdit, Refundable, RefundForm } from './refund-form.ts';
import { refundTexts } from './texts.ts';

type RefundLinesProps = {
  readonly form: RefundForm;
  readonly left: Refundable;
  readonly onEdit: (edit: FormEdit) => void;
};

/** The rugs and the delivery minimum, each with the amount that is left. A line without an amount is disabled. */
export function RefundLines({ form, left, onEdit }: RefundLinesProps) {
  return (
    <fieldset className={styles.lines}>
      <legend className={styles.legend}>{refundTexts.lines}</legend>
      <p>{refundTexts.linesHint}</p>
      {left.charges.rugs.map(rugTotal).map((amount, rugIndex) => (
        <Checkbox
          // biome-ignore lint/suspicious/noArrayIndexKey: a rug is identified by its place in the order.
          key={rugIndex}
          checked={form.rugs.includes(rugIndex)}
          disabled={amount <= 0}
          onChange={({ target }) => onEdit({ field: 'rug', rugIndex, chosen: target.checked })}
        >
          {refundTexts.rug(rugIndex + 1, formatDollars(amount))}
        </Checkbox>
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
