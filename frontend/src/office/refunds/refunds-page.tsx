import { refunds } from '@kilim/bff/contract/refunds';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'antd';
import { call } from '../../shared/call.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { pagedQuery } from '../shared/api/admin-query.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { type RefundSearch, refundSearch, withFilters } from '../shared/list-search.ts';
import { RefundCards } from '../shared/refunds/refund-cards.tsx';
import { ListShortcuts } from '../shared/shortcuts/list-shortcuts.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { ChoiceFilter, DayFilter, DayPair, Filters, SearchBox } from '../shared/ui/filters.tsx';
import { LoadedAt } from '../shared/ui/loaded-at.tsx';
import { PagedList } from '../shared/ui/paged-list.tsx';
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
  const queryClient = useQueryClient();
  const { page = 1, ...filters } = search;
  const go = (next: RefundSearch, replace = false) => void navigate({ search: next, replace });
  const refresh = () => {
    if (page > 1) go(filters);
    void queryClient.invalidateQueries({ queryKey: moneyKey });
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Card
      title={refundListTexts.heading}
      note={refundListTexts.note}
      actions={
        <div className={cards.tools}>
          <LoadedAt query={query} />
          <Button onClick={refresh} loading={query.isFetching && query.data !== undefined}>
            {refundListTexts.refresh}
          </Button>
          <ListShortcuts onRefresh={refresh} hasSearch />
        </div>
      }
    >
      <RefundFilters search={search} onChange={go} onClear={isFiltered ? () => go({}) : undefined} />
      <PagedList
        query={query}
        page={page}
        texts={refundListTexts}
        onPage={(next, replace) => go({ ...search, page: next }, replace)}
      >
        {({ rows }) => <RefundCards refunds={rows} place={isFiltered ? 'filtered' : 'all'} />}
      </PagedList>
    </Card>
  );
}

type RefundFiltersProps = {
  readonly search: RefundSearch;
  readonly onChange: (search: RefundSearch, replace?: boolean) => void;
  readonly onClear: (() => void) | undefined;
};

function RefundFilters({ search, onChange, onClear }: RefundFiltersProps) {
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
      onClear={onClear}
    >
      <ChoiceFilter
        label={refundListTexts.status}
        value={search.status}
        any={refundListTexts.anyStatus}
        options={{ completed: 'Completed', pending: 'Pending', failed: 'Failed' }}
        onChoose={(status) => choose({ status })}
      />
      <DayPair>
        <DayFilter label={refundListTexts.from} value={search.from} onChoose={(from) => choose({ from })} />
        <DayFilter label={refundListTexts.to} value={search.to} onChoose={(to) => choose({ to })} />
      </DayPair>
    </Filters>
  );
}
