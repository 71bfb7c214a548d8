import { formatDollars } from '@kilim/domain/money';
import { splitParts } from '../../shared/refunds/split-parts.ts';
import styles from './refund-dialog.module.css';
import { splitShown } from './refund-form.ts';
import type { RefundContext } from './refund-machine.ts';
import { refundTexts } from './texts.ts';

/** What an accountant will see, before the refund is made. */
export function RefundSplit({ context }: { readonly context: Pick<RefundContext, 'form' | 'left'> }) {
  const split = splitShown(context.form, context.left);
  if (split === undefined) return null;
  return (
    <section className={styles.split} aria-label={refundTexts.split}>
      <p>{refundTexts.split}</p>
      <dl>
        {splitParts(split).map(([term, part]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{formatDollars(part)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
