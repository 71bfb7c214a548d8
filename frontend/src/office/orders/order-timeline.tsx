import type { TimelineEntry } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { usePageData } from '../../shared/page-data.ts';
import { usePersonName } from '../shared/person-names.ts';
import { timeText } from '../shared/ui/format.ts';
import styles from './order-timeline.module.css';
import { orderTexts } from './texts.ts';

export function OrderTimeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const nameOf = usePersonName();
  const { timeZone } = usePageData().config.business;
  return (
    <ol className={styles.timeline} aria-label={orderTexts.timeline}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are only added at the end.
        <li key={index} className={styles.entry} data-tone={entry.tone}>
          <p className={styles.what}>
            <strong>{entry.what}</strong>
            {entry.amount !== null && <span className={styles.amount}>{formatDollars(entry.amount)}</span>}
          </p>
          {entry.detail !== null && <p>{entry.detail}</p>}
          <p className={styles.when}>
            <time dateTime={entry.at}>{timeText(entry.at, timeZone)}</time>, {nameOf(entry.who)}
          </p>
        </li>
      ))}
    </ol>
  );
}
