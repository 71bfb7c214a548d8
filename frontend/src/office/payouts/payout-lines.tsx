import type { Payout, PayoutLine } from '@kilim/bff/contract/payouts';
import { type Cents, formatDollars, sumCents } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { dayText } from '../shared/ui/format.ts';
import { PagedTable } from '../shared/ui/paged-table.tsx';
import { Technical } from '../shared/ui/technical.tsx';
import { payoutTexts } from './texts.ts';

type Total = Payout['totals'][number];

/** The sums by activity add up to the payout. */
export function TotalsTable({ payout: { totals } }: { readonly payout: Payout }) {
  const sumOf = (part: 'gross' | 'fee' | 'net') => sumCents(totals.map((total) => total[part]));
  const lines = totals.reduce((sum, total) => sum + total.lines, 0);
  const sum: Total = { activity: '', lines, gross: sumOf('gross'), fee: sumOf('fee'), net: sumOf('net') };
  return (
    <DataTable<Total>
      label={payoutTexts.totals}
      rows={[...totals, sum]}
      rowKey={({ activity }) => activity}
      columns={[
        {
          title: payoutTexts.activity,
          render: ({ activity }) => (activity === '' ? <strong>{payoutTexts.sum}</strong> : activityText(activity)),
        },
        { title: payoutTexts.count, align: 'right', render: (total) => total.lines.toLocaleString('en-US') },
        ...amountColumns,
      ]}
    />
  );
}

const amountColumns: readonly Column<Readonly<Record<'gross' | 'fee' | 'net', Cents>>>[] = [
  { title: payoutTexts.gross, align: 'right', render: ({ gross }) => formatDollars(gross) },
  { title: payoutTexts.fee, align: 'right', render: ({ fee }) => formatDollars(fee) },
  { title: payoutTexts.net, align: 'right', render: ({ net }) => formatDollars(net) },
];

export function LinesTable({ payout: { firstLines, lines } }: { readonly payout: Payout }) {
  const { timeZone } = usePageData().config.business;
  if (firstLines.length === 0) return <p>{payoutTexts.noLines}</p>;
  return (
    <>
      <PagedTable<PayoutLine>
        label={payoutTexts.lines}
        rows={firstLines}
        rowKey={({ id }) => id}
        columns={[
          { title: payoutTexts.day, render: ({ at }) => (at === null ? payoutTexts.unknown : dayText(at, timeZone)) },
          { title: payoutTexts.activity, render: ({ activity }) => activityText(activity) },
          { title: payoutTexts.belongsTo, render: (line) => <Subject line={line} /> },
          ...amountColumns,
        ]}
      />
      {firstLines.length < lines && <p className={cards.more}>{payoutTexts.more(firstLines.length, lines)}</p>}
    </>
  );
}

function Subject({ line: { orderId, standing, squareId } }: { readonly line: PayoutLine }) {
  return (
    <div className={cards.subject}>
      {orderId !== null ? (
        <Link to="/admin/orders/$orderId" params={{ orderId }}>
          {payoutTexts.order(orderNumberText(orderId))}
        </Link>
      ) : standing === 'unknown' ? (
        <div>
          <Badge tone="failed">{payoutTexts.standings.unknown}</Badge>
        </div>
      ) : (
        payoutTexts.standings[standing]
      )}
      {squareId !== null && <Technical>{payoutTexts.idAtSquare(squareId)}</Technical>}
    </div>
  );
}

/** Square's `RESERVE_HOLD` as `Reserve hold`. */
function activityText(activity: string): string {
  if (activity === 'CHARGE') return 'Payment';
  const words = activity.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
