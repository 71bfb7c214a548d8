import type { Glance } from '@kilim/bff/contract/glance';
import { formatDollars } from '@kilim/domain/money';
import { usePageData } from '../../shared/page-data.ts';
import { usePersonName } from '../people/people-calls.ts';
import { Card } from '../ui/card.tsx';
import { timeText } from '../ui/format.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import styles from './books.module.css';
import { Subject } from './subject.tsx';
import { booksTexts, resolveTexts } from './texts.ts';

/** What people decided about differences. Empty as long as nothing was decided. */
export function ResolvedCard({ glance: { resolved } }: { readonly glance: Glance }) {
  const nameOf = usePersonName();
  const { timeZone } = usePageData().config.business;
  if (resolved.length === 0) return null;
  return (
    <Card title={resolveTexts.resolved} note={resolveTexts.resolvedNote}>
      <PagedTable
        label={resolveTexts.resolved}
        rows={resolved}
        rowKey={({ at, squareId }) => `${at} ${squareId}`}
        columns={[
          { title: booksTexts.problem, render: ({ message }) => <span className={styles.message}>{message}</span> },
          {
            title: booksTexts.subject,
            render: ({ orderId, squareId }) => <Subject orderId={orderId} squareId={squareId} />,
          },
          { title: booksTexts.amount, align: 'right', render: ({ amount }) => formatDollars(amount) },
          {
            title: resolveTexts.reason,
            render: ({ reason }) => <span className={styles.narrow}>{resolveTexts.reasons[reason]}</span>,
          },
          {
            title: resolveTexts.by,
            render: ({ by, at }) => (
              <span className={styles.narrow}>
                {nameOf(by)}, {timeText(at, timeZone)}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
