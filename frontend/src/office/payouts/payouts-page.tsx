import type { PayoutRow } from '@kilim/bff/contract/payouts';
import { formatDollars } from '@kilim/domain/money';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button, Empty } from 'antd';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import { payoutsKey } from '../shared/api/query-keys.ts';
import { type PayoutSearch, payoutSearch, withFilters } from '../shared/list-search.ts';
import { ListShortcuts } from '../shared/shortcuts/list-shortcuts.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { ChoiceFilter, DayFilter, DayPair, Filters } from '../shared/ui/filters.tsx';
import { LoadedAt } from '../shared/ui/loaded-at.tsx';
import { PagedList } from '../shared/ui/paged-list.tsx';
import { payoutsQuery } from './payout-queries.ts';
import { PayoutStateBadge } from './payout-state.tsx';
import { payoutsTexts } from './texts.ts';

const route = getRouteApi('/admin/payouts');

export function PayoutsPage() {
  usePageTitle(payoutsTexts.title);
  const search = payoutSearch(route.useSearch());
  const navigate = route.useNavigate();
  const query = useQuery(payoutsQuery(search));
  const { page = 1, ...filters } = search;
  const go = (next: PayoutSearch, replace = false) => void navigate({ search: next, replace });
  const queryClient = useQueryClient();
  const refresh = () => {
    if (page > 1) go(filters);
    void queryClient.invalidateQueries({ queryKey: payoutsKey });
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Card
      title={payoutsTexts.heading}
      note={payoutsTexts.note}
      actions={
        <div className={cards.tools}>
          <LoadedAt query={query} />
          <Button onClick={refresh} loading={query.isFetching && query.data !== undefined}>
            {payoutsTexts.refresh}
          </Button>
          <ListShortcuts onRefresh={refresh} />
        </div>
      }
    >
      <PayoutFilters search={search} onChange={go} onClear={isFiltered ? () => go({}) : undefined} />
      <PagedList
        query={query}
        page={page}
        texts={payoutsTexts}
        onPage={(next, replace) => go({ ...search, page: next }, replace)}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description={isFiltered ? payoutsTexts.noMatch : payoutsTexts.none}
            />
          ) : (
            <PayoutsTable rows={rows} busy={query.isPlaceholderData} />
          )
        }
      </PagedList>
    </Card>
  );
}

type PayoutFiltersProps = {
  readonly search: PayoutSearch;
  readonly onChange: (search: PayoutSearch) => void;
  readonly onClear: (() => void) | undefined;
};

function PayoutFilters({ search, onChange, onClear }: PayoutFiltersProps) {
  const choose = (chosen: Parameters<typeof withFilters<PayoutSearch>>[1]) => onChange(withFilters(search, chosen));
  return (
    <Filters label={payoutsTexts.filters} onClear={onClear}>
      <ChoiceFilter
        label={payoutsTexts.state}
        value={search.state}
        any={payoutsTexts.anyState}
        options={payoutsTexts.states}
        onChoose={(state) => choose({ state })}
      />
      <DayPair>
        <DayFilter label={payoutsTexts.from} value={search.from} onChoose={(from) => choose({ from })} />
        <DayFilter label={payoutsTexts.to} value={search.to} onChoose={(to) => choose({ to })} />
      </DayPair>
    </Filters>
  );
}

function PayoutsTable({ rows, busy }: { readonly rows: readonly PayoutRow[]; readonly busy: boolean }) {
  return (
    <DataTable
      label={payoutsTexts.heading}
      rows={rows}
      rowKey={({ id }) => id}
      busy={busy}
      columns={[
        {
          title: payoutsTexts.day,
          render: ({ day, state }) => (state === 'sent' ? payoutsTexts.due(fullDayText(day)) : fullDayText(day)),
        },
        {
          title: payoutsTexts.payout,
          render: ({ id }) => (
            <Link
              to="/admin/payouts/$payoutId"
              params={{ payoutId: id }}
              data-opens={id}
              aria-label={payoutsTexts.open(id)}
            >
              {id}
            </Link>
          ),
        },
        { title: payoutsTexts.state, render: ({ state }) => <PayoutStateBadge state={state} /> },
        { title: payoutsTexts.lines, align: 'right', render: ({ lines }) => lines.toLocaleString('en-US') },
        { title: payoutsTexts.amount, align: 'right', render: ({ amount }) => formatDollars(amount) },
      ]}
    />
  );
}
