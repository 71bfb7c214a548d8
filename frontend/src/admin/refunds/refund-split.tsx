import { formatDollars, noCents } from '@kilim/domain/money';
import { useMemo } from 'react';
import type { OrderDetail } from '../api/wire.ts';
import { chargesLeft, splitPreview } from './charges-left.ts';
import styles from './refund-dialog.module.css';
import { linesOf } from './refund-form.ts';
import { type RefundContext, shownAmount } from './refund-machine.ts';
import { refundTexts } from './texts.ts';

type RefundSplitProps = { readonly detail: OrderDetail; readonly context: RefundContext };

/** What an accountant will see of this refund, before it is made. */
export function RefundSplit({ detail, context }: RefundSplitProps) {
  const charges = useMemo(() => chargesLeft(detail), [detail]);
  const amount = shownAmount(context);
  if (amount <= 0) return null;
  const { form, left } = context;
  const chosen = form.refundType === 'full' ? { rugs: [], deliveryMinimum: noCents } : linesOf(form, left, amount);
  const split = splitPreview(charges, amount, chosen);
  if (split === undefined) return null;
  const parts = [
    [refundTexts.services, split.services],
    [refundTexts.addOns, split.addOns],
    [refundTexts.delivery, split.delivery],
    [refundTexts.deliveryMinimum, split.deliveryMinimum],
    [refundTexts.salesTax, split.salesTax],
  ] as const;
  return (
    <section className={styles.split} aria-label={refundTexts.split}>
      <p>{refundTexts.split}</p>
      <dl>
        {parts.map(
          ([term, part]) =>
            part > 0 && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{formatDollars(part)}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
