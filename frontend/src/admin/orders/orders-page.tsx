import type { OrderRow } from '@kilim/bff/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button, Empty } from 'antd';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { type Paged, rangeOf } from '../api/paged.ts';
import { type OrderSearch, orderSearch } from '../layout/list-search.ts';
import { Busy } from '../ui/busy.tsx';
import { Card } from '../ui/card.tsx';
import { LoadProblem } from '../ui/load-problem.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { useLastPage } from '../ui/use-last-page.ts';
import { OrderFilters } from './order-filters.tsx';
import { ordersPerPage, ordersQuery } from './order-queries.ts';
import styles from './orders.module.css';
import { OrdersTable } from './orders-table.tsx';
import { ordersTexts } from './texts.ts';

const route = getRouteApi('/admin/orders/');

export function OrdersPage() {
  usePageTitle(ordersTexts.title);
  const search = orderSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(ordersQuery(search));
  const page = search.page ?? 1;
  const go = (next: OrderSearch, replace = false) => void navigate({ search: next, replace });
  const shown = isPlaceholderData ? undefined : data;
  useLastPage({ page, rowsPerPage: ordersPerPage, data: shown }, (last) => go({ ...search, page: last }, true));
  const refresh = () => {
    const { page: _, ...rest } = search;
    if (page > 1) go(rest);
    else void refetch();
  };
  const isFiltered = Object.keys(search).some((name) => name !== 'page' && name !== 'sort');
  return (
    <Card
      title={ordersTexts.heading}
      note={data === undefined ? undefined : captionOf(data)}
      actions={
        <div className={styles.tools}>
          <Button onClick={() => go(turned(search))}>
            {search.sort === undefined ? ordersTexts.sortOldest : ordersTexts.sortNewest}
          </Button>
          <Button onClick={refresh} loading={isFetching && data !== undefined}>
            {ordersTexts.refresh}
          </Button>
        </div>
      }
    >
      <OrderFilters search={search} onChange={go} />
      {error !== null && <LoadProblem title={ordersTexts.loadFailed} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Busy text={ordersTexts.loading} />}
      {data !== undefined && (
        <div className={styles.list} data-stale={isPlaceholderData}>
          {data.rows.length === 0 ? (
            <NoOrders isFiltered={isFiltered} />
          ) : (
            <OrdersTable rows={data.rows} busy={isPlaceholderData} />
          )}
          <Pagination
            label={ordersTexts.pages}
            page={page}
            lastPage={Math.ceil(data.total / ordersPerPage)}
            caption={ordersTexts.results(...rangeOf(data))}
            onPage={(next) => go({ ...search, page: next })}
          />
        </div>
      )}
    </Card>
  );
}

function NoOrders({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <strong>{isFiltered ? ordersTexts.noneFoundTitle : ordersTexts.emptyTitle}</strong>
          <p>{isFiltered ? ordersTexts.noneFoundHint : ordersTexts.emptyHint}</p>
        </>
      }
    />
  );
}

function turned({ page: _, sort, ...rest }: OrderSearch): OrderSearch {
  return sort === undefined ? { ...rest, sort: 'createdAt' } : rest;
}

function captionOf(data: Paged<OrderRow>): string {
  return data.rows.length === 0 ? ordersTexts.noCaption : ordersTexts.caption(...rangeOf(data));
}
