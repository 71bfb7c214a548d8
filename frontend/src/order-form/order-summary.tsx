import type { Cents } from '@kilim/domain/money';
import type { Quote } from '@kilim/domain/quote';
import { useEffect, useState } from 'react';
import { Panel } from '../shared/ui/panel.tsx';
import { type SummaryLine, SummaryList } from '../shared/ui/summary-list.tsx';
import { VisuallyHidden } from '../shared/ui/visually-hidden.tsx';
import styles from './order-form.module.css';
import { orderFormTexts } from './texts.ts';
import { useQuote } from './use-quote.ts';

const texts = orderFormTexts.lines;

export function OrderSummary() {
  const quote = useQuote();
  return (
    <Panel
      headingId="summary-title"
      title={orderFormTexts.summary}
      subtitle={orderFormTexts.summarySubtitle}
      className={styles.summary}
    >
      {quote === undefined ? (
        <p className={styles.empty}>{orderFormTexts.summaryEmpty}</p>
      ) : (
        <SummaryList lines={linesOf(quote)} total={{ term: texts.total, amount: quote.total }} />
      )}
      <AnnouncedTotal total={quote?.total} />
    </Panel>
  );
}

/** Skips lines of $0, and a subtotal that is the total. */
function linesOf({ deliveryOption, lines, salesTax, total }: Quote): readonly SummaryLine[] {
  const optional: readonly SummaryLine[] = [
    // An order that is topped up costs the minimum.
    { term: texts.deliveryMinimum, note: texts.deliveryMinimumNote(total), amount: lines.deliveryMinimum },
    { term: texts.stainProtection, amount: lines.stainProtection },
    { term: texts.greenPad, amount: lines.greenPad },
    { term: salesTax.name, note: texts.salesTaxNote, amount: lines.salesTax },
  ];
  const added = [
    ...(deliveryOption === 'pickup' ? [{ term: texts.delivery, amount: lines.delivery }] : []),
    ...optional.filter(({ amount }) => amount > 0),
  ];
  return added.length === 0 ? [] : [{ term: texts.subtotal, amount: lines.subtotal }, ...added];
}

const announceAfterMilliseconds = 700;

/** After a pause in typing, and not the initial total. */
function AnnouncedTotal({ total }: { readonly total: Cents | undefined }) {
  const [announced, setAnnounced] = useState(total);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(total), announceAfterMilliseconds);
    return () => clearTimeout(timer);
  }, [total]);
  return (
    <div role="status">
      <VisuallyHidden>{announced === undefined ? '' : orderFormTexts.totalAnnounced(announced)}</VisuallyHidden>
    </div>
  );
}
