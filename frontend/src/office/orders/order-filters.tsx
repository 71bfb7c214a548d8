import { isFiltered, type OrderSearch, withFilters } from '../shared/list-search.ts';
import { useMay } from '../shared/session/current-session.tsx';
import { ChoiceFilter, DaysFilter, Filters, SearchBox } from '../shared/ui/filters.tsx';
import { intakeTexts } from './intake/texts.ts';
import { ordersTexts } from './texts.ts';

type OrderFiltersProps = {
  readonly search: OrderSearch;
  /** Typing replaces the address; other changes add to the history. */
  readonly onChange: (search: OrderSearch, replace?: boolean) => void;
};

export function OrderFilters({ search, onChange }: OrderFiltersProps) {
  const choose = (chosen: Parameters<typeof withFilters<OrderSearch>>[1]) => onChange(withFilters(search, chosen));
  const searchesContacts = useMay('readContacts');
  const { sort, pageSize } = search;
  const clear = () => onChange({ ...(sort && { sort }), ...(pageSize && { pageSize }) });
  return (
    <Filters
      label={ordersTexts.filters}
      search={
        <SearchBox
          label={ordersTexts.search}
          hint={searchesContacts ? ordersTexts.searchHint : ordersTexts.searchIdsHint}
          value={search.search ?? ''}
          onSearch={(text) => onChange(withFilters(search, { search: text }), true)}
        />
      }
      onClear={isFiltered(search) ? clear : undefined}
    >
      <ChoiceFilter
        label={ordersTexts.refundStatus}
        value={search.status}
        any={ordersTexts.anyStatus}
        options={{
          none: 'No Refunds',
          pending: 'Refund Pending',
          partial: 'Partially Refunded',
          full: 'Fully Refunded',
          failed: ordersTexts.failed,
        }}
        onChoose={(status) => choose({ status })}
      />
      <ChoiceFilter
        label={ordersTexts.stage}
        value={search.stage}
        any={ordersTexts.anyStage}
        options={{ ...intakeTexts.stages, asked: intakeTexts.asked }}
        onChoose={(stage) => choose({ stage })}
      />
      <ChoiceFilter
        label={ordersTexts.payment}
        value={search.payment}
        any={ordersTexts.paid}
        options={{ attempts: ordersTexts.attempts, all: ordersTexts.everything }}
        onChoose={(payment) => choose({ payment })}
      />
      <ChoiceFilter
        label={ordersTexts.delivery}
        value={search.delivery}
        any={ordersTexts.anyDelivery}
        options={{ dropoff: ordersTexts.dropoff, pickup: ordersTexts.pickup }}
        onChoose={(delivery) => choose({ delivery })}
      />
      <ChoiceFilter
        label={ordersTexts.sort}
        value={sort === undefined ? undefined : 'oldest'}
        any={ordersTexts.newestFirst}
        options={{ oldest: ordersTexts.oldestFirst }}
        onChoose={(chosen) => onChange(sortedBy(search, chosen === 'oldest'))}
      />
      <DaysFilter days={search} onChoose={choose} />
    </Filters>
  );
}

/** At the first page. */
function sortedBy({ page: _, sort: __, ...rest }: OrderSearch, isOldestFirst: boolean): OrderSearch {
  return isOldestFirst ? { ...rest, sort: 'createdAt' } : rest;
}
