import { formatMonth } from '@kilim/domain/format-day';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { fullDayText, monthsFrom, presetsOn, todayIn } from '../shared/accounting/day-range.ts';
import { daySearch } from '../shared/list-search.ts';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import styles from './money.module.css';
import { firstShownDay, type Month, monthsOf, payoutsQuery, statisticsQuery, taxQuery } from './money-calls.ts';
import { SendMonth } from './send-month.tsx';
import { TakingsChart } from './takings-chart.tsx';
import { moneyTexts as texts } from './texts.ts';

export function MoneyPage() {
  usePageTitle(texts.title);
  const { timeZone } = usePageData().config.business;
  const today = todayIn(timeZone);
  const mayExport = useMay('export');
  return (
    <div className={cards.stack}>
      <Months today={today} />
      <div className={styles.halves}>
        <OnItsWay />
        {mayExport && <SalesTax today={today} />}
      </div>
      {mayExport && <SendMonth today={today} />}
    </div>
  );
}

const columns: readonly Column<Month>[] = [
  {
    title: texts.month,
    render: ({ month, isWhole }) => (isWhole ? formatMonth(month) : texts.soFar(formatMonth(month))),
  },
  { title: texts.orders, align: 'right', render: ({ orders }) => orders.toLocaleString('en-US') },
  {
    title: texts.taken,
    align: 'right',
    render: ({ month, takings }) => (
      <Link to="/admin/orders" search={daysOf(month)}>
        {formatDollars(takings)}
      </Link>
    ),
  },
  {
    title: texts.refunded,
    align: 'right',
    render: ({ month, refunds }) => (
      <Link to="/admin/refunds" search={daysOf(month)}>
        {formatDollars(refunds)}
      </Link>
    ),
  },
  { title: texts.fees, align: 'right', render: ({ fees }) => formatDollars(fees) },
  { title: texts.disputes, align: 'right', render: ({ disputes }) => formatDollars(disputes) },
  { title: texts.left, align: 'right', render: ({ net }) => formatDollars(net) },
];

/** Most shops never have a dispute. */
function columnsFor(months: readonly Month[]) {
  return columns.filter(({ title }) => title !== texts.disputes || months.some(({ disputes }) => disputes !== 0));
}

function daysOf(month: string) {
  return daySearch(monthsFrom(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1));
}

function Months({ today }: { readonly today: string }) {
  const query = useQuery(statisticsQuery({ from: firstShownDay(today), to: today }));
  return (
    <Card title={texts.months} note={texts.monthsNote} takesFocus>
      <Loaded query={query} loading={texts.monthsLoading} failed={texts.monthsFailed}>
        {(loaded) => {
          const months = monthsOf(loaded);
          return (
            <div className={cards.stack}>
              <DataTable
                label={texts.months}
                columns={columnsFor(months)}
                rows={months}
                rowKey={({ month }) => month}
              />
              <TakingsChart statistics={loaded} />
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

function OnItsWay() {
  const query = useQuery(payoutsQuery);
  return (
    <Card title={texts.onItsWay} note={texts.onItsWayNote}>
      <Loaded query={query} loading={texts.onItsWayLoading} failed={texts.onItsWayFailed}>
        {(payouts) => (
          <div className={cards.stack}>
            {payouts.length === 0 ? (
              <p>{texts.nothingPaidOut}</p>
            ) : (
              <ul className={cards.lines}>
                {payouts.map(({ id, state, amount, day }) => (
                  <li key={id}>
                    <div>
                      <span>{texts.payout[state](fullDayText(day))}</span>
                      <strong>{formatDollars(amount)}</strong>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <p>
              <Link to="/admin/payouts">{texts.allPayouts}</Link>
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function SalesTax({ today }: { readonly today: string }) {
  const { lastQuarter, thisQuarter } = presetsOn(today);
  const last = useQuery(taxQuery(lastQuarter));
  return (
    <Card title={texts.tax} note={texts.taxNote}>
      <Loaded query={last} loading={texts.taxLoading} failed={texts.taxFailed}>
        {(due) => (
          <div className={cards.stack}>
            <p className={styles.figure}>
              <strong>{formatDollars(due)}</strong>{' '}
              {texts.taxOf(fullDayText(lastQuarter.from), fullDayText(lastQuarter.to))}
            </p>
            <p className={styles.links}>
              <Link to="/admin/reports" search={{ report: 'sales-tax-return', ...lastQuarter }}>
                {texts.taxReturn}
              </Link>
              <Link to="/admin/reports" search={{ report: 'sales-tax-return', ...thisQuarter }}>
                {texts.taxThisQuarter}
              </Link>
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
