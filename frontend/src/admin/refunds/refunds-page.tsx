import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'antd';
import { useCallback } from 'react';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { rangeOf } from '../api/paged.ts';
import { type RefundSearch, refundSearch } from '../layout/list-search.ts';
import { Busy } from '../ui/busy.tsx';
import { Card } from '../ui/card.tsx';
import { ChoiceFilter, DayFilter, DayPair, Filters, SearchBox } from '../ui/filters.tsx';
import { LoadProblem } from '../ui/load-problem.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { useLastPage } from '../ui/use-last-page.ts';
import { RefundCards } from './refund-cards.tsx';
import { refundsPerPage, refundsQuery } from './refund-queries.ts';
import { refundListTexts } from './texts.ts';

const route = getRouteApi('/admin/refunds');

export function RefundsPage() {
  usePageTitle(refundListTexts.title);
  const search = refundSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(refundsQuery(search));
  const page = search.page ?? 1;
  const go = (next: RefundSearch, replace = false) => void navigate({ search: next, replace });
  const shown = isPlaceholderData ? undefined : data;
  useLastPage({ page, rowsPerPage: refundsPerPage, data: shown }, (last) => go({ ...search, page: last }, true));
  const isFiltered = Object.keys(search).some((name) => name !== 'page');
  return (
    <Card
      title={refundListTexts.heading}
      note={refundListTexts.note}
      actions={
        <Button onClick={() => void refetch()} loading={isFetching && data !== undefined}>
          {refundListTexts.refresh}
        </Button>
      }
    >
      <RefundFilters search={search} onChange={go} />
      {error !== null && (
        <LoadProblem title={refundListTexts.loadFailed} error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Busy text={refundListTexts.loading} />}
      {data !== undefined && (
        <>
          <RefundCards refunds={data.rows} place={isFiltered ? 'filtered' : 'all'} />
          <Pagination
            label={refundListTexts.pages}
            page={page}
            lastPage={Math.ceil(data.total / refundsPerPage)}
            caption={refundListTexts.results(...rangeOf(data))}
            onPage={(next) => go({ ...search, page: next })}
          />
        </>
      )}
    </Card>
  );
}

type RefundFiltersProps = {
  readonly search: RefundSearch;
  readonly onChange: (search: RefundSearch, replace?: boolean) => void;
};

type Chosen = { readonly [Name in keyof RefundSearch]?: RefundSearch[Name] | undefined };

function RefundFilters({ search, onChange }: RefundFiltersProps) {
  const choose = useCallback(
    (chosen: Chosen, replace = false) => {
      const { page: _, ...rest } = search;
      const all = Object.entries({ ...rest, ...chosen }).filter(([, value]) => value !== undefined && value !== '');
      onChange(Object.fromEntries(all) as RefundSearch, replace);
    },
    [search, onChange],
  );
  const onSearch = useCallback((text: string) => choose({ search: text }, true), [choose]);
  const { page: _, ...filters } = search;
  return (
    <Filters
      label={refundListTexts.filters}
      onClear={Object.keys(filters).length === 0 ? undefined : () => onChange({})}
    >
      <SearchBox
        label={refundListTexts.search}
        hint={refundListTexts.searchHint}
        value={search.search ?? ''}
        onSearch={onSearch}
      />
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
