import type { DueRugs, Today, TodayPickup } from '@kilim/bff/contract/today';
import { tierOffers } from '@kilim/domain/catalog';
import { pickupWindows } from '@kilim/domain/contact';
import { dayAfter } from '@kilim/domain/day';
import { formatWeekday } from '@kilim/domain/format-day';
import { formatPhone } from '@kilim/domain/format-phone';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import type { OrderSearch } from '../shared/list-search.ts';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { FirstDay, useFirstDay } from './first-day.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Drive, PickupList } from './pickup-list.tsx';
import { todayTexts as texts } from './texts.ts';
import styles from './today.module.css';
import { todayQuery } from './today-calls.ts';

export function TodayPage() {
  usePageTitle(texts.title);
  const firstDay = useFirstDay();
  const query = useQuery(todayQuery);
  return (
    <div className={cards.stack}>
      {firstDay && <FirstDay {...firstDay} />}
      <div className={styles.screen}>
        <NeedsYou isFirstDay={firstDay !== undefined} />
      </div>
      <Loaded query={query} loading={texts.loading} failed={texts.loadFailed}>
        {(today) => (
          <>
            <InShop counts={today.inShop} />
            <ToCall toCall={today.toCall} />
            <Coming today={today} />
            <Due today={today} />
            <Figures figures={today.figures} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Nothing when no rug is in the shop. */
function InShop({ counts }: { readonly counts: Today['inShop'] }) {
  const shown = (['received', 'ready', 'asked'] as const).filter((stage) => counts[stage] > 0);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.inShop} aria-label={texts.inShop}>
      {shown.map((stage) => (
        <li key={stage}>
          <Link to="/admin/orders" search={{ stage }}>
            {texts.inStage[stage](counts[stage])}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function ToCall({ toCall: { total, rows } }: Pick<Today, 'toCall'>) {
  return (
    <div className={styles.screen}>
      <Card title={texts.toCall} note={texts.toCallNote}>
        {total === 0 ? <p>{texts.nobody}</p> : <PickupList label={texts.toCall} pickups={rows} />}
        <More count={total - rows.length} search={{ delivery: 'pickup' }} />
      </Card>
    </div>
  );
}

function Coming({ today: { day, coming, tomorrow, due } }: { readonly today: Today }) {
  return (
    <div className={styles.printed} data-paper>
      <Card
        title={texts.coming}
        note={formatWeekday(day)}
        actions={
          coming.total + tomorrow.total + due.total > 0 && (
            <Button onClick={() => globalThis.print()}>{texts.print}</Button>
          )
        }
      >
        <div className={styles.day}>
          {coming.total === 0 ? (
            <p>{texts.nothingComing}</p>
          ) : (
            <Windows day={texts.coming} level="h3" listed={coming} />
          )}
        </div>
        {tomorrow.total > 0 && (
          <div className={styles.day}>
            <h3 className={styles.group}>{texts.tomorrow(formatWeekday(dayAfter(day)))}</h3>
            <Windows day={texts.tomorrow(formatWeekday(dayAfter(day)))} level="h4" listed={tomorrow} />
          </div>
        )}
      </Card>
    </div>
  );
}

type WindowsProps = { readonly day: string; readonly level: 'h3' | 'h4'; readonly listed: Today['coming'] };

function Windows({ day, level: Heading, listed: { total, rows } }: WindowsProps) {
  const byWindow = Map.groupBy(rows, ({ agreedPickup }: TodayPickup) => agreedPickup?.window);
  return (
    <>
      {pickupWindows.map((window) => {
        const pickups = byWindow.get(window);
        if (pickups === undefined) return null;
        return (
          <section key={window}>
            <Heading className={styles.group}>{texts.windows[window]}</Heading>
            <PickupList label={`${day}, ${texts.windows[window]}`} pickups={pickups} />
          </section>
        );
      })}
      <More count={total - rows.length} search={{ delivery: 'pickup' }} />
    </>
  );
}

function Due({ today: { day: today, due } }: { readonly today: Today }) {
  const columns: readonly Column<DueRugs>[] = [
    { title: texts.day, render: ({ due: day }) => (day === today ? texts.dueToday : formatWeekday(day)) },
    {
      title: texts.orderColumn,
      render: ({ _id: orderId }) => (
        <Link to="/admin/orders/$orderId" params={{ orderId }} className={styles.number}>
          {orderNumberText(orderId)}
        </Link>
      ),
    },
    {
      title: texts.customer,
      grows: true,
      render: ({ customerInfo }) => (
        <div>
          {customerInfo?.name ?? texts.missing}
          <Drive customer={customerInfo} />
        </div>
      ),
    },
    { title: texts.phone, render: ({ customerInfo }) => formatPhone(customerInfo?.phone ?? '') || texts.missing },
    { title: texts.tier, render: ({ tier }) => tierOffers[tier].name },
    {
      title: texts.rugsColumn,
      align: 'right',
      render: ({ rugCount, isHere }) => (isHere ? texts.rugs : texts.rugsNotHere)(rugCount),
    },
  ];
  return (
    <div className={styles.printed} data-paper>
      <Card title={texts.due} note={texts.dueNote}>
        {due.total === 0 ? (
          <p>{texts.nothingDue}</p>
        ) : (
          <DataTable
            label={texts.due}
            columns={columns}
            rows={due.rows}
            rowKey={({ _id, tier }) => `${_id} ${tier}`}
            isDense
          />
        )}
        <More count={due.total - due.rows.length} search={{}} />
      </Card>
    </div>
  );
}

type MoreProps = { readonly count: number; readonly search: OrderSearch };

function More({ count, search }: MoreProps) {
  if (count <= 0) return null;
  return (
    <p>
      <Link to="/admin/orders" search={search}>
        {texts.more(count)}
      </Link>
    </p>
  );
}

function Figures({ figures: { today, thisMonth } }: Pick<Today, 'figures'>) {
  const maySeeMoney = useMay('readBooks');
  const textOf = ({ takings, orders }: typeof today) => texts.takings(formatDollars(takings), orders);
  return (
    <p className={styles.screen}>
      {texts.figures(textOf(today), textOf(thisMonth))} {maySeeMoney && <Link to="/admin/money">{texts.toMoney}</Link>}
    </p>
  );
}
