import type { OrderItem } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import cards from '../../shared/ui/card.module.css';
import { deliveryOf } from './chosen-lines.ts';
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

const shownAtFirst = 5;

/** A line without an amount is disabled. Of many rugs the first and the chosen ones are shown. */
export function RefundLines({ items, form, left, title = refundTexts.lines, hint, onEdit }: RefundLinesProps) {
  const [isAll, setAll] = useState(false);
  const isChosen = (rugIndex: number) =>
    form.rugs.includes(rugIndex) || form.charges.some((charge) => charge.rugIndex === rugIndex);
  const isShown = (rugIndex: number) => isAll || rugIndex < shownAtFirst || isChosen(rugIndex);
  return (
    <fieldset className={styles.lines}>
      <legend className={cards.legend}>{title}</legend>
      {hint !== undefined && <p className={styles.wide}>{hint}</p>}
      {deliveryOf(form, left).left > 0 && <p className={styles.wide}>{refundTexts.rugsInclude}</p>}
      {items.map(
        (item, rugIndex) =>
          isShown(rugIndex) && (
            <RefundRug
              // biome-ignore lint/suspicious/noArrayIndexKey: a rug is identified by its place in the order.
              key={rugIndex}
              item={item}
              rugIndex={rugIndex}
              form={form}
              left={left}
              onEdit={onEdit}
            />
          ),
      )}
      {items.length > shownAtFirst && (
        <Button className={styles.wide ?? ''} aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? refundTexts.fewRugs : refundTexts.allRugs(items.length)}
        </Button>
      )}
      <DeliveryLines form={form} left={left} onEdit={onEdit} />
    </fieldset>
  );
}

function DeliveryLines({ form, left, onEdit }: Pick<RefundLinesProps, 'form' | 'left' | 'onEdit'>) {
  const delivery = deliveryOf(form, left);
  const { deliveryMinimum } = left.charges;
  return (
    <>
      {delivery.left > 0 && (
        <div className={classNames(styles.chip, styles.wide)}>
          <Checkbox
            checked={delivery.chosen === delivery.left}
            indeterminate={delivery.chosen > 0 && delivery.chosen < delivery.left}
            onChange={({ target }) => onEdit({ field: 'delivery', chosen: target.checked })}
          >
            {refundTexts.deliveryLine(formatDollars(delivery.left))}
          </Checkbox>
        </div>
      )}
      {deliveryMinimum > 0 && (
        <div className={styles.chip}>
          <Checkbox
            checked={form.deliveryMinimum}
            onChange={({ target }) => onEdit({ field: 'deliveryMinimum', chosen: target.checked })}
          >
            {refundTexts.deliveryMinimumLine(formatDollars(deliveryMinimum))}
          </Checkbox>
        </div>
      )}
    </>
  );
}
