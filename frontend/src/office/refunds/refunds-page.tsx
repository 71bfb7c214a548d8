import { refunds } from '@kilim/bff/contract/refunds';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../shared/call.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { pagedQuery } from '../shared/api/admin-query.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { isFiltered, type RefundSearch, refundSearch, withFilters } from '../shared/list-search.ts';
import { RefundCards } from '../shared/refunds/refund-cards.tsx';
import { ChoiceFilter, DaysFilter, Filters, SearchBox } from '../shared/ui/filters.tsx';
import { ListCard } from '../shared/ui/list-card.tsx';
import { refundListTexts } from './texts.ts';

const route = getRouteApi('/admin/refunds');

function refundsQuery(search: RefundSearch) {
  return queryOptions({
    ...pagedQuery([...moneyKey, 'refunds'], search, (query) =>
      call('GET /api/admin/refunds', { query, answer: refunds }),
    ),
    refetchInterval: ({ state }) => (state.data?.rows.some(({ status }) => status === 'pending') ? 5_000 : false),
  });
}

export function RefundsPage() {
  usePageTitle(refundListTexts.title);
  const search = refundSearch(route.useSearch());
  const navigate = route.useNavigate();
  const query = useQuery(refundsQuery(search));
  const go = (next: RefundSearch, replace = false) => void navigate({ search: next, replace });
  return (
    <ListCard
      query={query}
      queryKey={moneyKey}
      search={search}
      onSearch={go}
      note={refundListTexts.note}
      texts={refundListTexts}
      shortcuts="rows and search"
      filters={<RefundFilters search={search} onChange={go} />}
    >
      {({ rows }) => <RefundCards refunds={rows} place={isFiltered(search) ? 'filtered' : 'all'} />}
    </ListCard>
  );
}

type RefundFiltersProps = {
  readonly search: RefundSearch;
  readonly onChange: (search: RefundSearch, replace?: boolean) => void;
};

function RefundFilters({ search, onChange }: RefundFiltersProps) {
  const choose = (chosen: Parameters<typeof withFilters<RefundSearch>>[1]) => onChange(withFilters(search, chosen));
  return (
    <Filters
      label={refundListTexts.filters}
      search={
        <SearchBox
          label={refundListTexts.search}
          hint={refundListTexts.searchHint}
          value={search.search ?? ''}
          onSearch={(text) => onChange(withFilters(search, { search: text }), true)}
        />
      }
      onClear={isFiltered(search) ? () => onChange({}) : undefined}
    >
      <ChoiceFilter
        label={refundListTexts.status}
        value={search.status}
        any={refundListTexts.anyStatus}
        options={{ completed: 'Completed', pending: 'Pending', failed: 'Failed' }}
        onChoose={(status) => choose({ status })}
      />
      <DaysFilter days={search} onChoose={choose} />
    </Filters>
  );
}
