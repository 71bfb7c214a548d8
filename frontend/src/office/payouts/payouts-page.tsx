import type { PayoutRow } from '@kilim/bff/contract/payouts';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import { payoutsKey } from '../shared/api/query-keys.ts';
import { isFiltered, type PayoutSearch, payoutSearch, withFilters } from '../shared/list-search.ts';
import { DataTable } from '../shared/ui/data-table.tsx';
import { ChoiceFilter, DaysFilter, Filters } from '../shared/ui/filters.tsx';
import { ListCard } from '../shared/ui/list-card.tsx';
import { Nothing } from '../shared/ui/nothing.tsx';
import { payoutsQuery } from './payout-queries.ts';
import { PayoutStateBadge } from './payout-state.tsx';
import { payoutsTexts } from './texts.ts';

const route = getRouteApi('/admin/payouts');

export function PayoutsPage() {
  usePageTitle(payoutsTexts.title);
  const search = payoutSearch(route.useSearch());
  const navigate = route.useNavigate();
  const query = useQuery(payoutsQuery(search));
  const go = (next: PayoutSearch, replace = false) => void navigate({ search: next, replace });
  return (
    <ListCard
      query={query}
      queryKey={payoutsKey}
      search={search}
      onSearch={go}
      note={payoutsTexts.note}
      texts={payoutsTexts}
      shortcuts="rows"
      filters={<PayoutFilters search={search} onChange={go} />}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <Nothing hint={isFiltered(search) ? payoutsTexts.noMatch : payoutsTexts.none} />
        ) : (
          <PayoutsTable rows={rows} busy={query.isPlaceholderData} />
        )
      }
    </ListCard>
  );
}

type PayoutFiltersProps = {
  readonly search: PayoutSearch;
  readonly onChange: (search: PayoutSearch) => void;
};

function PayoutFilters({ search, onChange }: PayoutFiltersProps) {
  const choose = (chosen: Parameters<typeof withFilters<PayoutSearch>>[1]) => onChange(withFilters(search, chosen));
  return (
    <Filters label={payoutsTexts.filters} onClear={isFiltered(search) ? () => onChange({}) : undefined}>
      <ChoiceFilter
        label={payoutsTexts.state}
        value={search.state}
        any={payoutsTexts.anyState}
        options={payoutsTexts.states}
        onChoose={(state) => choose({ state })}
      />
      <DaysFilter days={search} onChoose={choose} />
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
