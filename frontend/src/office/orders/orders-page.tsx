import type { OrderRow } from '@kilim/bff/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'antd';
import { useEffect } from 'react';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { type Paged, rangeOf } from '../shared/api/paged.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import {
  isFiltered,
  type OrderSearch,
  orderSearch,
  type PageSize,
  pageSizes,
  usualPageSize,
  withFilters,
} from '../shared/list-search.ts';
import { ChoiceFilter } from '../shared/ui/filters.tsx';
import { ListCard } from '../shared/ui/list-card.tsx';
import { Nothing } from '../shared/ui/nothing.tsx';
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
  const go = (next: OrderSearch, replace = false) => void navigate({ search: next, replace });
  useEffect(() => rememberSearch(search));
  return (
    <ListCard
      query={query}
      queryKey={moneyKey}
      search={search}
      onSearch={go}
      note={query.data === undefined ? undefined : captionOf(query.data)}
      texts={ordersTexts}
      tools={
        <Button href={ordersCsvAddress(search)} download>
          {ordersTexts.csv}
        </Button>
      }
      shortcuts="rows and search"
      filters={<OrderFilters search={search} onChange={go} />}
      footer={
        <PageSizeChoice pageSize={search.pageSize} onChoose={(pageSize) => go(withFilters(search, { pageSize }))} />
      }
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <Nothing {...ordersTexts[isFiltered(search) ? 'noneFound' : 'empty']} />
        ) : (
          <OrdersTable rows={rows} busy={query.isPlaceholderData} />
        )
      }
    </ListCard>
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
