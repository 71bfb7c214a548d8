import type { OrderRow } from '@kilim/bff/contract/orders';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button, Empty } from 'antd';
import { useEffect } from 'react';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { type Paged, rangeOf } from '../shared/api/paged.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import {
  type OrderSearch,
  orderSearch,
  type PageSize,
  pageSizes,
  usualPageSize,
  withFilters,
} from '../shared/list-search.ts';
import { ListShortcuts } from '../shared/shortcuts/list-shortcuts.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { ChoiceFilter } from '../shared/ui/filters.tsx';
import { LoadedAt } from '../shared/ui/loaded-at.tsx';
import { PagedList } from '../shared/ui/paged-list.tsx';
import { rememberSearch } from './last-opened.ts';
import { OrderFilters } from './order-filters.tsx';
import { ordersCsvAddress, ordersQuery } from './order-queries.ts';
import styles from './orders.module.css';
import { OrdersTable } from './orders-table.tsx';
import { ordersTexts } from './texts.ts';

const route = getRouteApi('/admin/orders');

export function OrdersPage() {
  usePageTitle(ordersTexts.title);
  const search = orderSearch(route.useSearch());
  const navigate = route.useNavigate();
  const query = useQuery(ordersQuery(search));
  const { page = 1, ...rest } = search;
  const go = (next: OrderSearch, replace = false) => void navigate({ search: next, replace });
  useEffect(() => rememberSearch(search));
  const queryClient = useQueryClient();
  const refresh = () => {
    if (page > 1) go(rest);
    void queryClient.invalidateQueries({ queryKey: moneyKey });
  };
  const isFiltered = Object.keys(rest).some((name) => name !== 'sort' && name !== 'pageSize');
  return (
    <Card
      title={ordersTexts.heading}
      note={query.data === undefined ? undefined : captionOf(query.data)}
      actions={
        <div className={cards.tools}>
          <LoadedAt query={query} />
          <Button href={ordersCsvAddress(search)} download>
            {ordersTexts.csv}
          </Button>
          <Button onClick={refresh} loading={query.isFetching && query.data !== undefined}>
            {ordersTexts.refresh}
          </Button>
          <ListShortcuts onRefresh={refresh} hasSearch />
        </div>
      }
    >
      <OrderFilters search={search} onChange={go} />
      <PagedList
        query={query}
        page={page}
        texts={ordersTexts}
        onPage={(next, replace) => go({ ...search, page: next }, replace)}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <NoOrders isFiltered={isFiltered} />
          ) : (
            <OrdersTable rows={rows} busy={query.isPlaceholderData} />
          )
        }
      </PagedList>
      <PageSizeChoice pageSize={search.pageSize} onChoose={(pageSize) => go(withFilters(search, { pageSize }))} />
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

function captionOf(data: Paged<OrderRow>): string {
  return data.rows.length === 0 ? ordersTexts.noCaption : ordersTexts.caption(...rangeOf(data));
}

type Size = `${PageSize}`;
const otherSizes = pageSizes.filter((size) => size !== usualPageSize);
const options = Object.fromEntries(otherSizes.map((size) => [size, ordersTexts.rowsPerPage(size)])) as Record<
  Size,
  string
>;

type PageSizeChoiceProps = {
  readonly pageSize: PageSize | undefined;
  readonly onChoose: (pageSize: PageSize | undefined) => void;
};

function PageSizeChoice({ pageSize, onChoose }: PageSizeChoiceProps) {
  return (
    <div className={styles.pageSize}>
      <ChoiceFilter
        label={ordersTexts.pageSize}
        value={pageSize === undefined ? undefined : (String(pageSize) as Size)}
        any={ordersTexts.rowsPerPage(usualPageSize)}
        options={options}
        onChoose={(chosen) => onChoose(pageSizes.find((size) => String(size) === chosen))}
      />
    </div>
  );
}
