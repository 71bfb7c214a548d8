import { formatDollars } from '@kilim/domain/money';
import styles from './refund-dialog.module.css';
import { splitShown } from './refund-form.ts';
import type { RefundContext } from './refund-machine.ts';
import { refundTexts } from './texts.ts';

/** The figures of this refund that an accountant will see, before it is made. */
export function RefundSplit({ context }: { readonly context: RefundContext }) {
  const split = splitShown(context.form, context.left);
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
