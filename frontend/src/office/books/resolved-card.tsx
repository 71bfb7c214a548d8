import type { Glance } from '@kilim/bff/contract/glance';
import { formatDollars } from '@kilim/domain/money';
import { usePageData } from '../../shared/page-data.ts';
import { usePersonName } from '../shared/person-names.ts';
import { ResolveDialog } from '../shared/resolve/resolve-dialog.tsx';
import { resolveTexts } from '../shared/resolve/texts.ts';
import { useMay } from '../shared/session/current-session.tsx';
import { Card } from '../shared/ui/card.tsx';
import { OpenButton } from '../shared/ui/dialog-buttons.tsx';
import { timeText } from '../shared/ui/format.ts';
import { PagedTable } from '../shared/ui/paged-table.tsx';
import styles from './books.module.css';
import { Subject } from './subject.tsx';
import { booksTexts } from './texts.ts';

type Resolved = Glance['resolved'][number];

/** Empty as long as nothing was decided. */
export function ResolvedCard({ glance: { resolved } }: { readonly glance: Glance }) {
  const nameOf = usePersonName();
  const { timeZone } = usePageData().config.business;
  const mayUndo = useMay('bookDifferences');
  if (resolved.length === 0) return null;
  return (
    <Card title={resolveTexts.resolved} note={resolveTexts.resolvedNote}>
      <PagedTable
        label={resolveTexts.resolved}
        rows={resolved}
        rowKey={({ version }) => String(version)}
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
            render: (row) => (
              <div className={styles.narrow}>
                <p>
                  {nameOf(row.by)}, {timeText(row.at, timeZone)}
                </p>
                {row.undone !== null && (
                  <p>{resolveTexts.undone(nameOf(row.undone.by), timeText(row.undone.at, timeZone))}</p>
                )}
                {mayUndo && row.canBeUndone && <Undo row={row} />}
              </div>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Undo({ row: { version, message } }: { readonly row: Resolved }) {
  return (
    <OpenButton text={resolveTexts.undo.button}>
      {(close) => <ResolveDialog resolving={{ how: 'undo', version, message }} onClose={close} />}
    </OpenButton>
  );
}
