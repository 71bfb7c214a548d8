import type { Glance } from '@kilim/bff/contract/glance';
import { formatDollars } from '@kilim/domain/money';
import { Alert } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { ResolveDialog } from '../shared/resolve/resolve-dialog.tsx';
import { resolveTexts } from '../shared/resolve/texts.ts';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card, type Fact, Facts } from '../shared/ui/card.tsx';
import { OpenButton } from '../shared/ui/dialog-buttons.tsx';
import { dayText } from '../shared/ui/format.ts';
import { PagedTable } from '../shared/ui/paged-table.tsx';
import { Subject } from './subject.tsx';
import { booksTexts } from './texts.ts';

type Clearing = NonNullable<Glance['comparison']>['clearing'];
type Item = Clearing['openItems'][number];

/** Empty before the first comparison. */
export function ClearingCard({ glance: { comparison } }: { readonly glance: Glance }) {
  if (comparison === null) return null;
  const { clearing, notCompared } = comparison;
  const { openItems, items } = clearing;
  return (
    <Card title={booksTexts.clearing} note={booksTexts.clearingNote}>
      <div className={cards.stack}>
        {notCompared !== null && <Alert type="error" role="alert" showIcon title={notCompared} />}
        {clearing.alarms.map((alarm) => (
          <Alert key={alarm} type="error" role="alert" showIcon title={alarm} />
        ))}
        <Facts facts={factsOf(clearing)} />
        {openItems.length === 0 && <p>{booksTexts.noOpenItems}</p>}
        {openItems.length > 0 && <ItemsTable items={openItems} />}
        {openItems.length < items && <p className={cards.more}>{booksTexts.more(openItems.length, items)}</p>}
      </div>
    </Card>
  );
}

function factsOf(clearing: Clearing): readonly (Fact | false)[] {
  const { balance, recent, onItsWay, beforeFirstPayout, notPaidOut, notPaidOutItems, unexplained } = clearing;
  return [
    [booksTexts.balance, formatDollars(balance)],
    [booksTexts.states.recent, formatDollars(recent)],
    [booksTexts.states.onItsWay, formatDollars(onItsWay)],
    beforeFirstPayout !== 0 && [booksTexts.states.beforeFirstPayout, formatDollars(beforeFirstPayout)],
    notPaidOutItems > 0 && [booksTexts.notPaidOut(notPaidOutItems), formatDollars(notPaidOut)],
    unexplained !== 0 && [booksTexts.unexplained, formatDollars(unexplained)],
  ];
}

function ItemsTable({ items }: { readonly items: readonly Item[] }) {
  const { timeZone } = usePageData().config.business;
  const mayBook = useMay('bookDifferences');
  return (
    <PagedTable
      label={booksTexts.openItems}
      rows={items}
      rowKey={({ kind, squareId }) => `${kind} ${squareId}`}
      withActions
      columns={[
        {
          title: booksTexts.item,
          render: ({ kind, ...item }) => <Subject {...item} otherwise={booksTexts.kinds[kind] ?? kind} />,
        },
        { title: booksTexts.day, render: ({ at }) => dayText(at, timeZone) },
        {
          title: booksTexts.state,
          render: ({ state, onItsWayIn }) => (
            <span className={cards.subject}>
              {booksTexts.states[state]} {onItsWayIn}
            </span>
          ),
        },
        { title: booksTexts.amount, align: 'right', render: ({ amount }) => formatDollars(amount) },
        ...(mayBook && items.some(({ canBeWrittenOff }) => canBeWrittenOff)
          ? [{ title: resolveTexts.actions, render: (item: Item) => <WriteOff item={item} /> }]
          : []),
      ]}
    />
  );
}

function WriteOff({ item: { kind, squareId, amount, canBeWrittenOff } }: { readonly item: Item }) {
  if (!canBeWrittenOff) return null;
  const message = resolveTexts.item(booksTexts.kinds[kind] ?? kind, formatDollars(amount));
  return (
    <OpenButton text={resolveTexts.writeItemOff.button}>
      {(close) => <ResolveDialog resolving={{ how: 'writeItemOff', squareId, message, amount }} onClose={close} />}
    </OpenButton>
  );
}
